import type { DataOrigin } from '../core/contracts/provenance.ts'

export interface DataDeclaration {
  readonly origin: Exclude<DataOrigin, 'unknown'>
  readonly about: string
}

export interface DataPack {
  readonly digest: string
  readonly name: string
  readonly files: readonly string[]
  /** @throws EspalierError `not_found` when it has no such file */
  read(path: string): Promise<Uint8Array>
}

export interface PackFile {
  path: string
  body: Uint8Array
}

export interface PackSource {
  /** Paths relative to the folder, with `/`, sorted. */
  readonly files: readonly string[]
  /** The same paths in the file system's order. Absent if there is no order to keep. */
  readonly listed?: readonly string[]
  read(path: string): Promise<Uint8Array>
}

export interface PackFormat {
  readonly description: string
  readonly data?: DataDeclaration
  readonly downloads: readonly {
    readonly name: string
    readonly url: string
    readonly sha256: string | null
  }[]
  /**
   * Picks the necessary files from the source, and adds files that speed up loading, such as an index of tasks.
   * @throws EspalierError `invalid_request` when the source is incomplete, naming the missing file
   */
  collect(source: PackSource): AsyncIterable<PackFile>
  readonly isNeeded?: true
  /**
   * The files of a pack that one task needs, so that a host receives only these. Absent if a task needs them all: the
   * environment with a pack then cannot be played on hosts.
   */
  filesOf?(task: string): readonly string[]
}
