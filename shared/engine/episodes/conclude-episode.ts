import { type EpisodeError, type EpisodeResult, episodeId } from '../../contracts/episode.ts'
import { noUsage } from '../../contracts/usage.ts'
import type { World } from '../../world/ports.ts'
import type { Journal } from '../journal.ts'
import { objectKeys } from '../keys.ts'
import type { RunDefinition } from '../runs/run-definition.ts'
import type { RunStore } from '../runs/run-store.ts'
import { type EpisodeToEnd, endEpisode } from './end-episode.ts'
import { toEpisodeError } from './episode-error.ts'
import type { EpisodePrograms, EpisodeSummary } from './episode-program.ts'
import type { EpisodeRow } from './episode-row.ts'

/** An episode that a worker has claimed, with what it plays it from. */
export interface ClaimedEpisode extends EpisodeToEnd {
  definition: RunDefinition
  row: EpisodeRow
  journal: Journal
}

export interface Conclusion {
  error: EpisodeError | null
  limit: EpisodeResult['limit']
}

/**
 * Makes a result of an episode's journal, publishes tree and trajectory, and ends the episode. A journal of which nothing
 * can be made ends it as `errored`: an end must never fail for a reason that will be there the next time too.
 *
 * @returns the result, or null when it was not this call that ended the episode
 */
export async function concludeEpisode(
  { world, store, programs }: { world: World; store: RunStore; programs: EpisodePrograms },
  claimed: ClaimedEpisode,
  { error, limit }: Conclusion,
): Promise<EpisodeResult | null> {
  const { run, place, journal, definition, row } = claimed
  const records = await journal.compact()
  let summary: EpisodeSummary | null = null
  let fault = error
  try {
    summary = await programs.summarise(run, definition.request, place, records)
  } catch (failure) {
    fault ??= toEpisodeError(failure, null)
  }
  const episode = episodeId(place.index)
  if (summary) await publish(world, objectKeys.tree(run, episode), summary.tree)
  if (summary?.trajectory) await publish(world, objectKeys.trajectory(run, episode), summary.trajectory)
  const result = toResult(summary, fault, limit, journal.elapsed, row.attempt)
  return (await endEpisode(world, store, claimed, result)) ? result : null
}

/** An episode's result. Without a summary nothing could be made of its journal. */
export function toResult(
  summary: EpisodeSummary | null,
  error: EpisodeError | null,
  limit: EpisodeResult['limit'],
  working_seconds: number,
  attempt: number,
): EpisodeResult {
  const hasReward = error === null && limit !== 'cost' && limit !== 'time'
  const {
    reward = 0,
    success = false,
    steps = 0,
    nodes = 0,
    path_length = 0,
    progress_rate = null,
    grounding_accuracy = null,
    usage = noUsage,
  } = summary ?? {}
  return {
    status: error ? 'errored' : limit ? 'limited' : success ? 'succeeded' : 'failed',
    reward: hasReward ? reward : null,
    success: hasReward ? success : null,
    limit: error ? null : limit,
    error,
    steps,
    nodes,
    path_length,
    progress_rate,
    grounding_accuracy,
    usage,
    working_seconds,
    attempt,
  }
}

async function publish(world: World, key: string, value: unknown): Promise<void> {
  await world.objects.put(key, Buffer.from(JSON.stringify(value)), { content_type: 'application/json' })
}
