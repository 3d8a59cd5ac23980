import {
  type EpisodeCounts,
  type Run,
  type RunRequestInput,
  runSchema,
} from '../../shared/core/contracts/run.ts'
import { noUsage } from '../../shared/core/contracts/usage.ts'

const noEpisodes: EpisodeCounts = {
  total: 0,
  waiting: 0,
  active: 0,
  succeeded: 0,
  failed: 0,
  limited: 0,
  errored: 0,
  cancelled: 0,
}

/** What a test says of a run: its episodes by status, and its request as a user writes it. */
export type RunFacts = Partial<Omit<Run, 'episodes' | 'request'>> & {
  episodes?: Partial<EpisodeCounts>
  request?: Partial<RunRequestInput>
}

/** A run as the API shows it, with what a test does not care about filled in. The total is the sum of its episodes. */
export function makeRun({ episodes = {}, request = {}, ...rest }: RunFacts = {}): Run {
  const { total: _, ...counts } = episodes
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return runSchema.parse({
    id: 'run-1',
    object: 'run',
    status: 'running',
    status_reason: null,
    created_at: '2026-11-21T09:00:00Z',
    started_at: '2026-11-21T09:00:01Z',
    ended_at: null,
    running_seconds: 60,
    episodes: { ...noEpisodes, total, ...episodes },
    usage: noUsage,
    lost_calls: 0,
    answer_warnings: [],
    learning_episodes: 0,
    memory: null,
    library: null,
    live: false,
    request: {
      environment: 'textcraft',
      method: { id: 'mcts', iterations: 8 },
      model: { endpoint: 'simulated', id: 'simulated' },
      ...request,
    },
    ...rest,
  })
}

/** A run of 20 episodes, of which 12 have ended and 8 are played. */
export function halfPlayedRun(facts: RunFacts = {}): Run {
  return makeRun({
    running_seconds: 10,
    episodes: { active: 8, succeeded: 7, failed: 5 },
    usage: { model_calls: 310, input_tokens: 40_000, output_tokens: 8_200, cost: 0.03124 },
    provenance: { origin: 'generated', about: 'goals made for Espalier', pack: null },
    ...facts,
    request: { method: { id: 'mcts' }, ...facts.request },
  })
}

/** A run that has ended, for reports, which count its episodes themselves. */
export function endedRun(id: string, request: Partial<RunRequestInput> = {}): Run {
  return makeRun({
    id,
    status: 'succeeded',
    running_seconds: 1,
    usage: { model_calls: 9, input_tokens: 900, output_tokens: 100, cost: 1.25 },
    lost_calls: 2,
    request: { method: { id: 'react' }, model: { endpoint: 'openai', id: 'small' }, ...request },
  })
}

/** A run that asks a model for a dataset. */
export const annotationRun = makeRun({
  status: 'succeeded',
  request: { method: { id: 'judge-steps', dataset: 'dataset-1', kind: 'revision', parameters: {} } },
})
