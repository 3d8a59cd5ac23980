import type { DatasetRequestInput } from '../../../shared/contracts/dataset.ts'
import type { KeyRequest } from '../../../shared/contracts/key.ts'
import type { RunRequestInput } from '../../../shared/contracts/run.ts'
import type { TenantLimitsRequest } from '../../../shared/contracts/tenant-limits.ts'

/** Bodies that work as they stand on a fresh service, so that the docs page can be tried at once. */
export const runExample: RunRequestInput = {
  name: 'textcraft with mcts',
  environment: 'textcraft',
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

export const keyExample: KeyRequest = {
  name: 'nightly evaluation',
  scopes: ['runs:write', 'runs:read'],
  expires_in: 7_776_000,
}

export const limitsExample: TenantLimitsRequest = { cost: 100, tokens: 50_000_000 }

export const resumeExample = { limits: { cost: 10 } }

export const extendExample = { method: { iterations: 16 } }

export const compareExample = { runs: ['run-1', 'run-2'] }

export const curvesExample = { runs: ['run-1', 'run-2'], over: 'calls' }
