import { mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { EpisodePassages, IndexedEpisode, Passage } from './passage.ts'
import { openPassageTables, type PassageTables } from './passage-tables.ts'
import type { Phrase, TextQuery } from './text-query.ts'
import { textWords } from './text-words.ts'
import {
  type FoundPassage,
  type IndexSummary,
  nothingIndexed,
  type PassageHits,
  type PassagePlace,
  type PassageQuery,
  type TranscriptIndex,
} from './transcript-index.ts'

/**
 * An index in a file of its own, over SQLite's FTS5. FTS5 receives words in their compared form, so that it finds the
 * same hits as every other driver. The file is opened on first use, and rebuilt if it is missing, damaged or of
 * another version. Threads may share the file: each opens it for itself.
 */
export class SqliteIndex implements TranscriptIndex {
  readonly #path: string
  #tables: PassageTables | null = null
  #isClosed = false

  constructor(path: string) {
    this.#path = path
  }

  summary(run: string): Promise<IndexSummary> {
    return this.#use((tables) => {
      const number = numberOf(tables, run)
      if (number === null) return nothingIndexed
      const { settled } = tables.run.get(run) as { settled: string | null }
      const { cut } = tables.countCut.get(number) as { cut: bigint }
      return { settled, cut: Number(cut) }
    })
  }

  versions(run: string): Promise<ReadonlyMap<number, string>> {
    return this.#use((tables) => {
      const number = numberOf(tables, run)
      const rows = number === null ? [] : tables.versions.all(number)
      return new Map(rows.map(({ episode, version }) => [Number(episode), String(version)]))
    })
  }

  async put(run: string, episodes: readonly EpisodePassages[]): Promise<void> {
    for (const episode of episodes) {
      await this.#change((tables) => {
        tables.addRun.run(run)
        putEpisode(tables, numberOf(tables, run) ?? 0n, episode)
      })
      // A thousand passages take some 150 milliseconds: let requests run in between.
      await setImmediate()
    }
  }

  settle(run: string, mark: string): Promise<void> {
    return this.#change((tables) => {
      tables.addRun.run(run)
      tables.settle.run(mark, run)
    })
  }

  search(run: string, query: PassageQuery): Promise<PassageHits> {
    const { after, finish_reason = null, kind = null, limit, outcome = null, text } = query
    return this.#use((tables) => {
      const number = numberOf(tables, run)
      if (number === null) return { found: [], stoppedAt: null }
      const first = after === undefined ? firstOf(number) : placeId(number, after) + 1n
      const last = firstOf(number + 1n) - 1n
      const filter = { kind, finish_reason, outcome }
      const rows = tables.search.all({ words: toMatch(text), first, last, ...filter, most: limit })
      return { found: rows.map(toFound), stoppedAt: null }
    })
  }

  remove(run: string): Promise<void> {
    return this.#change((tables) => {
      const number = numberOf(tables, run)
      if (number === null) return
      tables.removeWords.run(firstOf(number), firstOf(number + 1n) - 1n)
      tables.removePassages.run(firstOf(number), firstOf(number + 1n) - 1n)
      tables.removeEpisodes.run(number)
      tables.removeRun.run(number)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#tables?.close()
    this.#tables = null
  }

  #change(change: (tables: PassageTables) => void): Promise<void> {
    return this.#use((tables) => tables.transaction(() => change(tables)))
  }

  async #use<Result>(action: (tables: PassageTables) => Result): Promise<Result> {
    if (this.#isClosed) {
      throw new EspalierError('storage_failed', 'The service is being stopped. Start it again.')
    }
    this.#tables ??= openFile(this.#path)
    try {
      return action(this.#tables)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new EspalierError(
        'storage_failed',
        `The search index ${this.#path} could not be used: ${why}. Free space for it; where it is damaged, stop the service and delete it: it is made anew.`,
        { cause },
      )
    }
  }
}

function numberOf(tables: PassageTables, run: string): bigint | null {
  const row = tables.run.get(run) as { number: bigint } | undefined
  return row?.number ?? null
}

function openFile(path: string): PassageTables {
  mkdirSync(dirname(path), { recursive: true })
  try {
    return open(path)
  } catch (cause) {
    if (isBusy(cause))
      throw new EspalierError('storage_failed', `The search index ${path} is busy. Try again.`, { cause })
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true })
    try {
      return open(path)
    } catch (cause) {
      throw new EspalierError(
        'storage_failed',
        `The search index ${path} cannot be opened or made anew. See to it that the folder can be written to.`,
        { cause },
      )
    }
  }
}

function isBusy(error: unknown): boolean {
  const sqliteBusy = 5
  const { errcode } = error as { errcode?: number }
  return errcode !== undefined && (errcode & 0xff) === sqliteBusy
}

function open(path: string): PassageTables {
  const database = new DatabaseSync(path, { timeout: 5000, readBigInts: true })
  try {
    return openPassageTables(database)
  } catch (error) {
    database.close()
    throw error
  }
}

function putEpisode(tables: PassageTables, run: bigint, { passages, ...episode }: EpisodePassages): void {
  const { index, is_cut, outcome, reward, success, task, version } = episode
  const [first, last] = [
    placeId(run, { episode: index, passage: 0 }),
    placeId(run, { episode: index + 1, passage: 0 }),
  ]
  tables.removeWords.run(first, last - 1n)
  tables.removePassages.run(first, last - 1n)
  tables.putEpisode.run(run, index, version, task, outcome, reward, toInteger(success), toInteger(is_cut))
  for (const [position, { finish_reason, kind, node, role, text }] of passages.entries()) {
    const id = placeId(run, { episode: index, passage: position })
    tables.addPassage.run(id, run, index, kind, node, role, finish_reason, text)
    tables.addWords.run(id, Array.from(textWords(text), ({ word }) => word).join(' '))
  }
}

function toInteger(value: boolean | null): number | null {
  return value === null ? null : Number(value)
}

const [episodeBits, passageBits] = [26n, 16n]

/** In the order of its run's passages: FTS5 then finds them in that order, and reads no further than requested. */
function placeId(run: bigint, { episode, passage }: PassagePlace): bigint {
  return (((run << episodeBits) | BigInt(episode)) << passageBits) | BigInt(passage)
}

function firstOf(run: bigint): bigint {
  return run << (episodeBits + passageBits)
}

/** A query in FTS5's language. Its words are letters and digits alone, so no word is read as an operator. */
function toMatch({ phrases }: TextQuery): string {
  return phrases
    .map(({ isPrefix, words }: Phrase) => `"${words.join(' ')}"${isPrefix ? ' *' : ''}`)
    .join(' AND ')
}

function toFound(row: Record<string, unknown>): FoundPassage {
  const number = (value: unknown) => (value === null ? null : Number(value))
  const isTrue = (value: unknown) => (value === null ? null : value === 1n)
  const index = Number(row.episode)
  return {
    place: { episode: index, passage: Number(BigInt(row.id as bigint) & ((1n << passageBits) - 1n)) },
    episode: {
      index,
      version: row.version as string,
      task: row.task as string,
      outcome: row.outcome as IndexedEpisode['outcome'],
      reward: number(row.reward),
      success: isTrue(row.success),
      is_cut: isTrue(row.is_cut) === true,
    },
    passage: {
      kind: row.kind as Passage['kind'],
      node: number(row.node),
      role: row.role as string | null,
      finish_reason: row.finish_reason as string | null,
      text: row.text as string,
    },
  }
}
