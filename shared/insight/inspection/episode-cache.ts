import type { Episode } from '../../core/contracts/episode.ts'
import type { JournalRecord } from '../../core/engine/journal-record.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import { SearchTree } from '../../play/search/tree.ts'
import type { TreeEntry } from '../../play/search/tree-entry.ts'
import { type CommittedCall, readCalls } from './read-calls.ts'

export interface ReadEpisode {
  records: readonly JournalRecord[]
  calls: readonly CommittedCall[]
  /** Null before the first entry, and if nothing is played. */
  played: { tree: SearchTree; task: string } | null
}

const mostRecords = 200_000

/**
 * Reads the journals of episodes, and caches the last one of an ended episode, because users move from node to node.
 * Its journal does not change until the episode is started again, which changes its `starts`. One cache serves every
 * tenant: a journal is looked up through the episode, and so only by a tenant that may see the episode.
 */
export class EpisodeCache {
  #kept: { name: string; read: ReadEpisode } | null = null

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
