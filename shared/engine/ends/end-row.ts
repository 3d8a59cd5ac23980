import type { AnswerCounts } from '../../contracts/answers.ts'
import type { EpisodeEnd, EpisodePurpose, EpisodeResult } from '../../contracts/episode.ts'
import type { EpisodePlace } from '../runs/run-definition.ts'

/**
 * An end of an episode that its run's counters do not hold yet: all that is needed to count it. It is made in one transaction with
 * the end itself, in items that the run's other episodes do not share, and deleted in one transaction with the counters.
 */
export type EndRow = {
  episode: string
  task: string
  purpose: EpisodePurpose
  /** Of the run, that the episode ended in. */
  generation: number
  result: Pick<EpisodeResult, 'status' | 'reward' | 'steps' | 'usage' | 'error'>
  answers: AnswerCounts | null
  /** What it ended as in an earlier generation: that no longer counts. Null: it had not ended before. */
  earlier: { status: EpisodeEnd; answers: AnswerCounts | null } | null
}

export function toEndRow(
  episode: string,
  { purpose, task }: Pick<EpisodePlace, 'purpose' | 'task'>,
  generation: number,
  { before, result }: { before: EpisodeResult | null; result: EpisodeResult },
): EndRow {
  const { status, reward, steps, usage, error } = result
  return {
    episode,
    task,
    purpose,
    generation,
    result: { status, reward, steps, usage, error },
    answers: result.answers ?? null,
    earlier: before && { status: before.status, answers: before.answers ?? null },
  }
}

/** Where an end lies among those of its run: by when it was made. No two ends of a run have one name. */
export function endName(at: number, { episode, generation }: Pick<EndRow, 'episode' | 'generation'>): string {
  return `${String(Math.max(0, Math.floor(at))).padStart(15, '0')}-${episode}-${generation}`
}
