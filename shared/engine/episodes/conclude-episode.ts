import { type EpisodeError, type EpisodeResult, episodeId } from '../../contracts/episode.ts'
import { noUsage } from '../../contracts/usage.ts'
import type { PutOptions, World } from '../../world/ports.ts'
import type { Journal } from '../journal.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import { publishLearned } from '../memories/publish-learned.ts'
import type { EpisodePlace, RunDefinition } from '../runs/run-definition.ts'
import { type EpisodeToEnd, endEpisode } from './end-episode.ts'
import { toEpisodeError } from './episode-error.ts'
import type { EpisodePrograms, EpisodeSummary } from './episode-program.ts'
import { type EpisodeRow, hasEnded } from './episode-row.ts'

/** An episode that a worker has claimed, with what it plays it from. */
export interface ClaimedEpisode extends EpisodeToEnd {
  definition: RunDefinition
  row: EpisodeRow
  /** The version of the code that plays it, as it is kept with each segment. */
  code: string
  journal: Journal
  /** Whether it was taken up to be played with nothing beside it. */
  isAlone: boolean
  /** When it was taken up. Milliseconds. */
  takenAt: number
}

export interface Conclusion {
  error: EpisodeError | null
  limit: EpisodeResult['limit']
}

/**
 * Makes a result of an episode's journal, publishes tree, trajectory and what others can learn from it, and ends the
 * episode. A journal of which nothing can be made ends it as `errored`: an end must never fail for a reason that will be
 * there the next time too.
 *
 * @returns the result, or null when it was not this call that ended the episode
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
  // Stopped by money or time it has no reward either way, and can go on with more of that.
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

/**
 * Publishes what belongs to an episode's end while the claim holds. A worker that lost its claim may know less of the journal
 * than its successor, and must not overwrite what that one published, however late its write comes: what is there is looked at
 * before the claim is, and replaced only as long as it is the same.
 *
 * @returns false when the claim is void
 */
async function publishClaimed(
  world: World,
  claimed: ClaimedEpisode,
  key: string,
  value: unknown,
): Promise<boolean> {
  let isWritten = await publish(world.objects, key, value, { if_none_match: '*' })
  while (!isWritten) {
    const there = await world.objects.head(key)
    if (await isClaimVoid(world, claimed)) return false
    const condition: PutOptions = there === null ? { if_none_match: '*' } : { if_match: there.etag }
    isWritten = await publish(world.objects, key, value, condition)
  }
  return true
}

async function isClaimVoid({ ledger }: World, { run, place, claim }: ClaimedEpisode): Promise<boolean> {
  const row = (await ledger.get(ledgerKeys.episode(run, episodeId(place.index)))) as EpisodeRow | null
  return row === null || hasEnded(row) || row.starts !== claim.starts || row.generation !== claim.generation
}

export interface Ending extends Conclusion {
  purpose: EpisodePlace['purpose']
  /** Null where nothing could be made of the journal. */
  summary: EpisodeSummary | null
  working_seconds: number
  attempt: number
}

/** An episode's result. One that plays no task has no reward, and succeeds by coming to its end. */
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

/** Stores a part of an episode's end. @returns false when the condition does not hold; nothing is to be written of null */
export async function publish(
  objects: World['objects'],
  key: string,
  value: unknown,
  condition: PutOptions = {},
): Promise<boolean> {
  if (value === null) return true
  const body = Buffer.from(JSON.stringify(value))
  return (await objects.put(key, body, { content_type: 'application/json', ...condition })).written
}
