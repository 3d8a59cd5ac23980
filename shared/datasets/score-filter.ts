import type { DatasetRequest } from '../contracts/dataset.ts'
import type { LeftOutReason } from '../contracts/left-out-reasons.ts'
import type { ListedAttempt, Source } from './open-attempts.ts'

/** The scores of a run's episodes under one name. */
export interface RunScores {
  /** @param end - the digest of the episode's present end */
  at(episode: string, end: string): { value: number } | { without: string } | { error: string }
  /** The values of judged steps, by the positions of their nodes. */
  steps(episode: string, end: string): Record<string, number>
}

/** Reads the scores of a run that is known to be the tenant's. */
export type ScoresOf = (run: string, filter: { name: string; by?: string | undefined }) => Promise<RunScores>

/** What was judged of an attempt, as far as the request asks for it. */
export type Judged = {
  scores?: Record<string, number>
  steps?: Record<string, number>
}

/** What was judged of an attempt that is as the request asks; or why it is left out. */
export type ScoreFilter = (listed: ListedAttempt) => Judged | LeftOutReason

/** Keeps the attempts of a source whose scores are as the request asks. Nothing that was imported has scores. */
export async function openScoreFilter(
  scoresOf: ScoresOf | undefined,
  { parameters: { judged }, scores = [] }: Pick<DatasetRequest, 'parameters' | 'scores'>,
  source: Source,
): Promise<ScoreFilter> {
  const wanted = await Promise.all(
    scores.map(async ({ at_least = 0, at_most = 1, by, name }) => {
      const known = source.sort === 'run' ? await scoresOf?.(source.id, { name, by }) : undefined
      return { name, at_least, at_most, known }
    }),
  )
  const ofSteps =
    source.sort === 'run' && typeof judged === 'string'
      ? await scoresOf?.(source.id, { name: judged })
      : undefined
  return ({ ended, facts: { episode } }) => {
    const found: Record<string, number> = {}
    for (const { at_least, at_most, known, name } of wanted) {
      const score = ended === null ? undefined : known?.at(episode, ended)
      if (score === undefined || !('value' in score)) return 'no_score'
      if (score.value < at_least || score.value > at_most) return 'score_outside'
      found[name] = score.value
    }
    const steps = ended === null ? undefined : ofSteps?.steps(episode, ended)
    return { ...(scores.length > 0 && { scores: found }), ...(steps !== undefined && { steps }) }
  }
}
