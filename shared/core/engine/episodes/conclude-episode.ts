import { type EpisodeError, type EpisodeResult, episodeId } from '../../contracts/episode.ts'
import { noUsage } from '../../contracts/usage.ts'
import type { World } from '../../world/ports.ts'
import type { Journal } from '../journal.ts'
import { objectKeys } from '../keys.ts'
import { publishLearned } from '../memories/publish-learned.ts'
import type { EpisodePlace, RunDefinition } from '../runs/run-definition.ts'
import { type EpisodeToEnd, endEpisode } from './end-episode.ts'
import { toEpisodeError } from './episode-error.ts'
import type { EpisodePrograms, EpisodeSummary } from './episode-program.ts'
import type { EpisodeRow } from './episode-row.ts'
import { isClaimVoid, publish, publishClaimed } from './publish-end.ts'

export interface ClaimedEpisode extends EpisodeToEnd {
  definition: RunDefinition
  row: EpisodeRow
  code: string
  journal: Journal
  isAlone: boolean
  takenAt: number
}

export interface Conclusion {
  error: EpisodeError | null
  limit: EpisodeResult['limit']
}

/**
 * Derives a result from an episode's journal, publishes its tree, its trajectory and the lessons for others, and ends
 * the episode. An unusable journal ends it as `errored`: an end must never fail for a reason that persists.
 * @returns the result, or null if another call ended the episode
 */
export async function concludeEpisode(
  { world, programs }: { world: World; programs: EpisodePrograms },
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
  // An episode stopped by money or time has no reward either way, and can continue with more of either.
  if (limit !== 'cost' && limit !== 'time') fault ??= summary?.fault ?? null
  if (await isClaimVoid(world, claimed)) return null
  const episode = episodeId(place.index)
  const { tree = null, trajectory = null } = summary ?? {}
  const { generation } = row
  const isPublished =
    (await publishClaimed(world, claimed, objectKeys.tree(run, episode, generation), tree)) &&
    (await publishClaimed(world, claimed, objectKeys.trajectory(run, episode, generation), trajectory))
  if (!isPublished) return null
  const parts = await publishLearned(world, { run, episode }, fault === null ? summary : null)
  const result = toResult({
    purpose: place.purpose,
    summary,
    error: fault,
    limit,
    working_seconds: journal.elapsed,
    attempt: row.attempt,
  })
  const made = { parts, segments: journal.segments }
  if (!(await endEpisode(world, claimed, result, made))) return null
  if (generation > 1) {
    await publish(world.objects, objectKeys.tree(run, episode), tree)
    await publish(world.objects, objectKeys.trajectory(run, episode), trajectory)
  }
  return result
}

export interface Ending extends Conclusion {
  purpose: EpisodePlace['purpose']
  summary: EpisodeSummary | null
  working_seconds: number
  attempt: number
}

export function toResult({
  purpose,
  summary,
  error,
  limit,
  working_seconds,
  attempt,
}: Ending): EpisodeResult {
  const {
    reward = 0,
    success = false,
    steps = 0,
    nodes = 0,
    path_length = 0,
    primitive_steps = 0,
    progress_rate = null,
    grounding_accuracy = null,
    invalid_actions = 0,
    unparsable = 0,
    answers,
    usage = noUsage,
  } = summary ?? {}
  const hasReward = purpose === 'play' && error === null && limit !== 'cost' && limit !== 'time'
  const isWell = purpose !== 'play' || success === true
  return {
    status: error ? 'errored' : limit ? 'limited' : isWell ? 'succeeded' : 'failed',
    reward: hasReward ? reward : null,
    success: hasReward ? success : null,
    limit: error ? null : limit,
    error,
    steps,
    nodes,
    path_length,
    primitive_steps,
    progress_rate,
    grounding_accuracy,
    invalid_actions,
    unparsable,
    ...(answers !== undefined && { answers }),
    usage,
    working_seconds,
    attempt,
  }
}
