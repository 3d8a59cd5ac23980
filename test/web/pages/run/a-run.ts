import {
  type EpisodeCounts,
  type Run,
  type RunRequestInput,
  runSchema,
} from '../../../../shared/contracts/run.ts'
import { noUsage } from '../../../../shared/contracts/usage.ts'

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

/** How a run stands that is like this; the total is the sum of its episodes. */
export function aRun({
  episodes = {},
  request = {},
  ...rest
}: Partial<Omit<Run, 'episodes' | 'request'>> & {
  episodes?: Partial<EpisodeCounts>
  request?: Partial<RunRequestInput>
} = {}): Run {
  const total = Object.values(episodes).reduce((sum, count) => sum + count, 0)
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

/** A run that asks a model for a dataset. */
export const annotation = aRun({
  status: 'succeeded',
  request: { method: { id: 'judge-steps', dataset: 'dataset-1', kind: 'revision', parameters: {} } },
})
