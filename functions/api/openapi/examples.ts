import type { DatasetRequestInput } from '../../../shared/core/contracts/dataset.ts'
import { exampleEnvironment } from '../../../shared/core/contracts/example-environment.ts'
import type { KeyRequest } from '../../../shared/core/contracts/key.ts'
import type { LabelChange } from '../../../shared/core/contracts/labels.ts'
import type { LeaderboardRequest } from '../../../shared/core/contracts/leaderboard.ts'
import type { LoopRequestInput } from '../../../shared/core/contracts/loop.ts'
import type { GroupEvent, RolloutRequestInput } from '../../../shared/core/contracts/rollout.ts'
import type { RunRequestInput } from '../../../shared/core/contracts/run.ts'
import type { TenantLimitsRequest } from '../../../shared/core/contracts/tenant-limits.ts'
import type { TrainingRequestInput } from '../../../shared/core/contracts/training.ts'

/** Bodies that work unchanged on a fresh service, so that readers of the docs page can try them. */
export const runExample: RunRequestInput = {
  name: `${exampleEnvironment} with mcts`,
  environment: exampleEnvironment,
  tasks: { split: 'test', limit: 20 },
  method: { id: 'mcts', iterations: 8, samples: 4, max_depth: 20 },
  model: { endpoint: 'simulated', id: 'simulated' },
  limits: { cost: 5 },
  episode_limits: { steps: 400 },
}

export const datasetExample: DatasetRequestInput = {
  name: 'successes of the first run',
  runs: ['run-1'],
  kind: 'sft',
  format: 'openai',
  splits: { train: 0.9, validation: 0.1 },
}

export const loopExample: LoopRequestInput = {
  name: `rejection sampling in ${exampleEnvironment}`,
  recipe: 'rft',
  environment: exampleEnvironment,
  base: { registered: 'model-1' },
  experts: ['run-1'],
  settings: { rounds: 3, samples: 4, temperature: 0.7 },
  control: true,
  limits: { cost: 20 },
}

export const trainingExample: TrainingRequestInput = {
  name: 'imitation of the first successes',
  base: { hub: 'Qwen/Qwen3-0.6B' },
  datasets: [{ dataset: 'dataset-1' }],
  recipe: 'sft',
  hyperparameters: { epochs: 1, learning_rate: 0.00001 },
  limits: { time: 3600 },
}

export const keyExample: KeyRequest = {
  name: 'nightly evaluation',
  scopes: ['runs:write', 'runs:read'],
  expires_in: 7_776_000,
}

export const limitsExample: TenantLimitsRequest = { cost: 100, tokens: 50_000_000 }

export const rolloutExample: RolloutRequestInput = {
  environment: exampleEnvironment,
  tasks: { split: 'train', limit: 16 },
  method: { id: 'react' },
  model: { endpoint: 'simulated', id: 'simulated' },
  record: 'text',
  group_size: 8,
  version: 'step-0',
  timeout: 600,
  limits: { cost: 5 },
}

export const policyExample = { version: 'step-1' }

export const groupEventExample: GroupEvent = {
  type: 'group.finished',
  sequence: 1,
  group: {
    object: 'rollout_group',
    rollout: 'rollout-1',
    index: 0,
    task: 'task-1',
    status: 'incomplete',
    members: [
      { episode: 'ep-0000000', reward: 1, missing: null, detail: null, version: 'step-0' },
      { episode: 'ep-0000001', reward: null, missing: 'timed_out', detail: 'time', version: 'step-0' },
    ],
    versions: ['step-0'],
    rewards: { mean: 1, std: 0 },
    flat: true,
  },
}

export const resumeExample = { limits: { cost: 10 } }

export const extendExample = { method: { iterations: 16 } }

export const compareExample = { runs: ['run-1', 'run-2'] }

export const curvesExample = { runs: ['run-1', 'run-2'], over: 'calls' }

export const labelExample: LabelChange = {
  experiment: 'search-depth',
  add_tags: ['baseline'],
  archived: false,
}

export const leaderboardExample: LeaderboardRequest = { experiment: 'search-depth' }
