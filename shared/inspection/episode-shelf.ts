import type { Episode } from '../contracts/episode.ts'
import type { JournalRecord } from '../engine/journal-record.ts'
import type { Runs } from '../engine/runs/runs.ts'
import { SearchTree } from '../search/search-tree.ts'
import type { TreeEntry } from '../search/tree-entry.ts'
import { type CommittedCall, readCalls } from './read-calls.ts'

/** What a journal holds, ready to be looked at node by node. */
export interface ReadEpisode {
  records: readonly JournalRecord[]
  calls: readonly CommittedCall[]
  /** Null before the first entry, and where nothing is played. */
  played: { tree: SearchTree; task: string } | null
}

/** A larger journal is read anew each time, and takes its memory no longer than that. */
const mostRecords = 200_000

/**
 * Reads the journals of episodes. Of one that has ended the last is kept, because people go from node to node: its journal
 * does not change before it is taken up again, which its `starts` tell. One shelf serves every tenant; what stands on it is
 * reached through the episode, and so by those alone who may see that.
 */
export class EpisodeShelf {
  #kept: { name: string; read: ReadEpisode } | null = null

  /** @throws EspalierError `not_found` */
  async read(runs: Pick<Runs, 'episode' | 'journal'>, run: string, episode: string): Promise<ReadEpisode> {
    const stands = await runs.episode(run, episode)
    const name = JSON.stringify([run, episode, stands.status, stands.starts])
    if (this.#kept?.name === name) return this.#kept.read
    // Let go of before the next is read, so that there is memory for it.
    this.#kept = null
    const records = await runs.journal(run, episode)
    const read = { records, calls: readCalls(records), played: fold(records) }
    if (isStill(stands) && records.length <= mostRecords) this.#kept = { name, read }
    return read
  }
}

/** Whoever played a cancelled episode may not know of it yet, and commit once more. */
function isStill({ status }: Episode): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'limited' || status === 'errored'
}

function fold(records: readonly JournalRecord[]): ReadEpisode['played'] {
  const entries = records.flatMap((record) => ('entry' in record ? [record.entry as TreeEntry] : []))
  const tree = SearchTree.fold(entries)
  const task = entries.findLast((entry) => 'open' in entry)?.open.task
  return tree === null || task === undefined ? null : { tree, task }
}
