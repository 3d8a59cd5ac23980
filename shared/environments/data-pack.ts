import type { DataOrigin } from '../contracts/provenance.ts'

/** Who made the tasks of an environment or of a kind of pack, for every result on them. */
export interface DataDeclaration {
  readonly origin: Exclude<DataOrigin, 'unknown'>
  /** What the data is, to stand after a colon: `the games of ALFWorld`. */
  readonly about: string
}

/** Data of an environment that is too large to ship, stored in the world under the digest of its content. */
export interface DataPack {
  /** The digest of all paths and contents. */
  readonly digest: string
  /** What it was called when it was added. */
  readonly name: string
  /** The paths of its files, sorted. */
  readonly files: readonly string[]
  /** @throws EspalierError `not_found` when it has no such file */
  read(path: string): Promise<Uint8Array>
}

/** A file as a pack stores it. */
export interface PackFile {
  path: string
  body: Uint8Array
}

/** What a user adds a pack from: a folder, or an archive that was unpacked. */
export interface PackSource {
  /** Paths relative to the folder, with `/`, sorted. */
  readonly files: readonly string[]
  /** The same in the order in which the file system lists them; absent where there is none to be kept. */
  readonly listed?: readonly string[]
  read(path: string): Promise<Uint8Array>
}

/** How an environment's packs are made. */
export interface PackFormat {
  /** What the folder has to hold, in one line for `--help` and for errors. */
  readonly description: string
  /** What the data of such a pack is. @default of your own: a data pack that was added */
  readonly data?: DataDeclaration
  /** Where the data is offered, for `espalier data fetch`. */
  readonly downloads: readonly {
    readonly name: string
    readonly url: string
    readonly sha256: string | null
  }[]
  /**
   * Picks from the source what is needed, and adds what makes loading quick, such as an index of tasks.
   *
   * @throws EspalierError `invalid_request` when the source does not hold what it should, naming what is missing
   */
  collect(source: PackSource): AsyncIterable<PackFile>
  /** Whether the environment cannot be played without one: nothing comes along. */
  readonly isNeeded?: true
  /**
   * The files of a pack that one task needs, so that a host gets these and no others; absent where a task needs them all,
   * and the environment with a pack cannot be played on hosts.
   */
  filesOf?(task: string): readonly string[]
}
