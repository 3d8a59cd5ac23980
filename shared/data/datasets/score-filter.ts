import type { DatasetRequest } from '../../core/contracts/dataset.ts'
import type { LeftOutReason } from '../../core/contracts/left-out-reasons.ts'
import type { ListedAttempt, Source } from './open-attempts.ts'

export interface RunScores {
  at(episode: string, end: string): { value: number } | { without: string } | { error: string }
  steps(episode: string, end: string): Record<string, number>
}

export type ScoresOf = (run: string, filter: { name: string; by?: string | undefined }) => Promise<RunScores>

export type Judged = {
  scores?: Record<string, number>
  steps?: Record<string, number>
}

export type ScoreFilter = (listed: ListedAttempt) => Judged | LeftOutReason

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
