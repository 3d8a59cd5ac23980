import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { ApiError } from '../../shared/core/client/api-error.ts'
import type { EpisodeJudgement } from '../../shared/core/contracts/judgement.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { RecordScoresInput, ScoredEpisode } from '../../shared/core/contracts/scoring.ts'
import type { Trajectory } from '../../shared/core/contracts/trajectory.ts'
import { clipText } from '../../shared/core/contracts/well-formed.ts'
import { endDigest } from '../../shared/data/datasets/end-digest.ts'
import { isJudgeable, type JudgeableEpisode } from '../../shared/insight/judgements/find-judgeable.ts'
import type { OpenScorer } from './open-scorer.ts'

type Client = Pick<ApiClient, 'episodes' | 'judgements' | 'recordScores' | 'trajectory'>

export interface ScoringState {
  total: number
  skipped: number
  scored: number
  errors: number
}

export interface ScoringOptions {
  name: string
  scorer: OpenScorer
  limit?: number | undefined
  /** Retries episodes for which this version failed. @default false */
  again?: boolean | undefined
  signal: AbortSignal
  onProgress?(state: ScoringState): void
}

const atOnce = 25

const longestError = 2000

/**
 * Scores a run's ended episodes from their trajectories, without playing. Results are recorded in batches, so that an
 * interrupted command resumes.
 * @throws ConnectionError, ApiError if the service fails; a failure of the scorer is recorded as its error
 */
export async function scoreEpisodes(
  client: Client,
  run: Run,
  options: ScoringOptions,
): Promise<ScoringState> {
  const { limit = Number.POSITIVE_INFINITY, name, onProgress, scorer, signal } = options
  const known = await readKnown(client, run.id, options)
  const state: ScoringState = { total: 0, skipped: 0, scored: 0, errors: 0 }
  let waiting: JudgeableEpisode[] = []

  async function scoreWaiting(): Promise<void> {
    signal.throwIfAborted()
    const judgements = await Promise.all(waiting.map((episode) => scoreOne(client, run, episode, scorer)))
    if (judgements.length > 0) await client.recordScores(run.id, { name, by: scorer.by, judgements })
    const failed = judgements.filter(({ value }) => value === null).length
    state.errors += failed
    state.scored += judgements.length - failed
    waiting = []
    onProgress?.(state)
  }

  for await (const episode of endedEpisodes(client, run.id)) {
    if (state.total === limit) break
    state.total += 1
    if (known.get(episode.id) === endDigest(episode)) state.skipped += 1
    else waiting.push(episode)
    if (waiting.length === atOnce) await scoreWaiting()
  }
  await scoreWaiting()
  return state
}

type Scored = RecordScoresInput['judgements'][number]

async function scoreOne(
  client: Client,
  run: Run,
  episode: JudgeableEpisode,
  scorer: OpenScorer,
): Promise<Scored> {
  const judged = { episode: episode.id, end: endDigest(episode) }
  const trajectory = await findTrajectory(client, run.id, episode.id)
  if (typeof trajectory === 'string') return { ...judged, value: null, error: trajectory }
  try {
    return { ...judged, ...(await scorer.score(toScored(run, episode, trajectory))) }
  } catch (error) {
    return { ...judged, value: null, error: describeError(error) }
  }
}

export async function findTrajectory(
  client: Pick<Client, 'trajectory'>,
  run: string,
  episode: string,
): Promise<Trajectory | string> {
  try {
    return await client.trajectory(run, episode)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error
    return `It has no trajectory to score: ${error.message}`
  }
}

function toScored(run: Run, episode: JudgeableEpisode, trajectory: Trajectory): ScoredEpisode {
  const { reward, status, steps, success } = episode.result
  return {
    run: run.id,
    episode: episode.id,
    task: episode.task,
    environment: run.request.environment,
    method: run.request.method.id,
    status,
    reward,
    success: success === true,
    steps,
    trajectory,
  }
}

export async function* endedEpisodes(
  client: Pick<Client, 'episodes'>,
  run: string,
): AsyncGenerator<JudgeableEpisode> {
  for (let after: string | undefined, more = true; more; ) {
    const page = await client.episodes(run, { limit: 500, after })
    yield* page.data.filter(isJudgeable)
    after = page.last_id ?? undefined
    more = page.has_more
  }
}

async function readKnown(
  client: Client,
  run: string,
  { again = false, name, scorer }: ScoringOptions,
): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  for (let after: string | undefined, more = true; more; ) {
    const page = await client.judgements(run, { name, kind: 'scorer', limit: 1000, after })
    for (const judgement of page.data) {
      const { end, episode } = judgement
      if (isOf(judgement, scorer) && end !== undefined && !(again && judgement.value === null)) {
        known.set(episode, end)
      }
    }
    after = page.last_id ?? undefined
    more = page.has_more
  }
  return known
}

function isOf({ by, node }: EpisodeJudgement, scorer: OpenScorer): boolean {
  return node === null && by.kind === 'scorer' && by.digest === scorer.by.digest
}

function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return clipText(text.toWellFormed(), longestError)
}
