import {
  type Episode,
  type EpisodeEnd,
  type EpisodeResult,
  episodeEndSchema,
} from '../../core/contracts/episode.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { Run } from '../../core/contracts/run.ts'
import { listEpisodePages } from '../../core/engine/episodes/list-episode-pages.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'
import type { EpisodePassages, IndexedEpisode } from './passage.ts'
import { readPassages } from './read-passages.ts'
import { episodesOfPart, type TranscriptIndex } from './transcript-index.ts'

export interface CatchUpNeeds {
  index: TranscriptIndex
  runs: Pick<Runs, 'episodes' | 'journal'>
  now: () => number
  /** True for the first run of a search: some of it is read in any case, so that each search advances. */
  isFirst: boolean
  isOver: () => boolean
  onError: (error: unknown, what: string) => void
}

const readAtOnce = 4

/** Milliseconds after which no worker writes to an episode any more, if it was cancelled while it played. */
const workersKnowAfter = 60_000

/**
 * Indexes the ended episodes of a run that the index lacks in their present end, within the time limit. Indexed
 * episodes survive a crash, and the next search continues there. A run deleted meanwhile leaves nothing in the index.
 * @returns the number of episodes left
 */
export async function catchUp(needs: CatchUpNeeds, run: Run): Promise<number> {
  try {
    return await indexEnded(needs, run)
  } catch (error) {
    if (EspalierError.isInstance(error) && error.code === 'not_found') return 0
    throw error
  }
}

async function indexEnded(needs: CatchUpNeeds, run: Run): Promise<number> {
  const { index, isOver, now, runs } = needs
  const mark = markOf(run, now())
  const known = await index.versions(run.id)
  if (!needs.isFirst && isOver()) return Math.max(1, endedOf(run) - known.size)
  const lacking: { id: string; facts: IndexedEpisode }[] = []
  for await (const page of listEpisodePages(runs, run.id)) {
    for (const episode of page) {
      const facts = endOf(episode, mark !== null)
      if (facts !== null && known.get(facts.index) !== facts.version) lacking.push({ id: episode.id, facts })
    }
  }
  let left = lacking.length
  const parts = Map.groupBy(lacking, ({ facts }) => Math.floor(facts.index / episodesOfPart))
  for (const part of parts.values()) {
    const read: EpisodePassages[] = []
    for (let at = 0; at < part.length && (at === 0 || !isOver()); at += readAtOnce) {
      const some = part.slice(at, at + readAtOnce).map(({ facts, id }) => readOne(needs, run.id, id, facts))
      read.push(...(await Promise.all(some)).flat())
    }
    if (read.length > 0) await index.put(run.id, read)
    left -= read.length
    if (isOver()) return left
  }
  if (left === 0 && mark !== null) await index.settle(run.id, mark)
  return left
}

export function markOf({ ended_at, status }: Pick<Run, 'ended_at' | 'status'>, now: number): string | null {
  if (ended_at === null) return null
  if (status === 'cancelled' && now - Date.parse(ended_at) < workersKnowAfter) return null
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
    ? `${status} ${ended_at}`
    : null
}

function endedOf({ episodes }: Run): number {
  return episodeEndSchema.options.reduce((sum, end) => sum + episodes[end], 0)
}

async function readOne(
  { onError, runs }: CatchUpNeeds,
  run: string,
  id: string,
  facts: IndexedEpisode,
): Promise<EpisodePassages[]> {
  try {
    return [{ ...facts, ...readPassages(await runs.journal(run, id)) }]
  } catch (error) {
    onError(error, `indexing ${id} of ${run}`)
    return []
  }
}

function endOf({ index, result, starts, status, task }: Episode, isWhole: boolean): IndexedEpisode | null {
  const end = toEnd(status)
  if (end === null && (result === null || result.status === 'errored')) return null
  if (result === null && starts === 0) return null
  return {
    index,
    version: result === null ? `${status} ${starts} ${isWhole}` : versionOf(result),
    task,
    outcome: result?.status ?? end ?? 'cancelled',
    reward: result?.reward ?? null,
    success: result?.success ?? null,
    is_cut: false,
  }
}

function toEnd(status: Episode['status']): EpisodeEnd | null {
  return status === 'queued' || status === 'running' ? null : status
}

/** Differs for each end of an episode: its working time grows each time. */
function versionOf({ attempt, nodes, status, usage, working_seconds }: EpisodeResult): string {
  return [status, attempt, nodes, usage.model_calls, working_seconds].join(' ')
}
