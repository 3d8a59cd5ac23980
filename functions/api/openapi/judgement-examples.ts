import type {
  EpisodeJudgement,
  JudgementRequest,
  ScoreSummary,
} from '../../../shared/core/contracts/judgement.ts'

import type { RubricScoringInput } from '../../../shared/core/contracts/rubric-scoring.ts'
import type { RecordScoresInput } from '../../../shared/core/contracts/scoring.ts'

const by = { kind: 'person', name: 'ada' } as const

export const judgementRequestExample: JudgementRequest = { value: 1, note: 'It checked the recipe first.' }

export const judgementExample: EpisodeJudgement = {
  id: 'careful/ep-0000000/-/person:ada',
  object: 'judgement',
  run: 'run-1',
  episode: 'ep-0000000',
  name: 'careful',
  node: null,
  by,
  value: 1,
  error: null,
  note: 'It checked the recipe first.',
  at: '2026-11-26T09:00:00.000Z',
}

export const recordScoresExample: RecordScoresInput = {
  name: 'short',
  by: { kind: 'scorer', name: 'short', digest: '0123456789abcdef' },
  judgements: [
    { episode: 'ep-0000000', value: 0.75 },
    { episode: 'ep-0000001', value: null, error: 'TypeError: the trajectory has no steps' },
  ],
}

export const rubricExample: RubricScoringInput = {
  name: 'careful',
  rubric: '10 points where the agent checks what it has before it crafts; none where it only guesses.',
  model: { endpoint: 'simulated', id: 'simulated' },
  limits: { cost: 1 },
}

export const scoreExample: ScoreSummary = {
  id: 'careful',
  object: 'score',
  run: 'run-1',
  kind: 'person',
  episodes: 12,
  steps: 30,
  errors: 0,
  judges: [{ by, judgements: 42 }],
}
