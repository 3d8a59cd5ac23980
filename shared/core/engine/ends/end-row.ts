import type { AnswerCounts } from '../../contracts/answers.ts'
import type { EpisodeEnd, EpisodePurpose, EpisodeResult } from '../../contracts/episode.ts'
import type { EpisodePlace } from '../runs/run-definition.ts'

/**
 * An episode's end that its run's counters do not yet hold. One transaction creates it together with the end itself,
 * in items that no other episode shares. Another deletes it together with the update of the counters.
 */
export type EndRow = {
  episode: string
  task: string
  purpose: EpisodePurpose
  generation: number
  result: Pick<EpisodeResult, 'status' | 'reward' | 'steps' | 'usage' | 'error'>
  answers: AnswerCounts | null
  /** Its end in an earlier generation, which no longer counts. Null: it had not ended before. */
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

export function endName(at: number, { episode, generation }: Pick<EndRow, 'episode' | 'generation'>): string {
  return `${String(Math.max(0, Math.floor(at))).padStart(15, '0')}-${episode}-${generation}`
}
