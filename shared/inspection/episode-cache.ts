import type { Episode } from '../contracts/episode.ts'
import type { JournalRecord } from '../engine/journal-record.ts'
import type { Runs } from '../engine/runs/runs.ts'
import { SearchTree } from '../search/tree.ts'
import type { TreeEntry } from '../search/tree-entry.ts'
import { type CommittedCall, readCalls } from './read-calls.ts'

/** What a journal holds, by node. */
export interface ReadEpisode {
  records: readonly JournalRecord[]
  calls: readonly CommittedCall[]
  /** Null before the first entry, and where nothing is played. */
  played: { tree: SearchTree; task: string } | null
}

/** Records of a journal that is kept at most; a larger one is read each time. */
const mostRecords = 200_000

/**
 * Reads the journals of episodes, and keeps the last one of an episode that has ended, because users go from node to node: its
 * journal does not change until the episode is started again, which changes its `starts`. One cache serves every tenant: a
 * journal is looked up through the episode, and so only by a tenant that may see the episode.
 */
export class EpisodeCache {
  #kept: { name: string; read: ReadEpisode } | null = null

  /** @throws EspalierError `not_found` */
  async read(runs: Pick<Runs, 'episode' | 'journal'>, run: string, episode: string): Promise<ReadEpisode> {
    const current = await runs.episode(run, episode)
    const name = JSON.stringify([run, episode, current.status, current.starts])
    if (this.#kept?.name === name) return this.#kept.read
    // Freed before the next is read, so that there is memory for it.
    this.#kept = null
    const records = await runs.journal(run, episode)
    const read = { records, calls: readCalls(records), played: fold(records) }
    if (isStill(current) && records.length <= mostRecords) this.#kept = { name, read }
    return read
  }
}

/** A cancelled episode is not: its worker may not know of the cancellation yet, and commit once more. */
function isStill({ status }: Episode): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'limited' || status === 'errored'
}

function fold(records: readonly JournalRecord[]): ReadEpisode['played'] {
  const entries = records.flatMap((record) => ('entry' in record ? [record.entry as TreeEntry] : []))
  const tree = SearchTree.fold(entries)
  const task = entries.findLast((entry) => 'open' in entry)?.open.task
  return tree === null || task === undefined ? null : { tree, task }
}
