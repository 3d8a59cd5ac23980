import type { EnvironmentInfo, MethodInfo } from '../../../shared/core/contracts/catalogue.ts'
import type { Dataset, DatasetRequest } from '../../../shared/core/contracts/dataset.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { RunEstimate } from '../../../shared/core/contracts/estimate.ts'
import type { ApiKey, KeyRequest } from '../../../shared/core/contracts/key.ts'
import type { TenantLimits, TenantLimitsRequest } from '../../../shared/core/contracts/tenant-limits.ts'
import { PlaySessions } from '../../../shared/environments/playing/play-sessions.ts'
import { makeDataset } from '../../builders/datasets.ts'

export const validRun = {
  environment: 'textcraft',
  method: { id: 'react' },
  model: { endpoint: 'simulated', id: 'simulated' },
}

export const crafting: EnvironmentInfo = {
  id: 'textcraft',
  object: 'environment',
  description: 'Crafting.',
  snapshot: 'native',
  deterministic: true,
  success_threshold: 1,
  default_max_steps: 20,
  splits: { test: 1 },
  types: [],
  kind: 'text',
  tools: [],
  hosting: 'worker',
  data: null,
  options: null,
}

export function toKey(tenant: string, { name, scopes }: KeyRequest): ApiKey {
  const created_at = '2026-11-21T09:00:00.000Z'
  return { id: 'key-1', object: 'api_key', tenant, name, scopes, created_at, expires_at: null }
}

export function toTenantLimits(
  tenant: string,
  { cost = null, tokens = null }: TenantLimitsRequest,
): TenantLimits {
  return { object: 'tenant_limits', tenant, cost, tokens, used: { cost: 0, tokens: 0 } }
}

export const figure = { expected: 1, at_most: 2 }
export const quantities = { model_calls: figure, input_tokens: figure, output_tokens: figure, cost: null }

export const aMethod: MethodInfo = {
  id: 'react',
  object: 'method',
  description: '',
  source: '',
  parameters: {},
  extendable: [],
  branches: false,
  roles: [],
  writes: null,
  prompts: [],
}

export const anEstimate: RunEstimate = {
  object: 'run_estimate',
  episodes: figure,
  learning_episodes: 0,
  ...quantities,
  host_hours: { expected: 0, at_most: 0 },
  per_episode: quantities,
  limits: [],
  basis: {
    from: 'method',
    runs: [],
    episodes: 0,
    model_calls: '',
    input_tokens: '',
    output_tokens: '',
    cost: '',
    host_hours: '',
  },
}

export const anEmptyPreview = {
  object: 'dataset_preview' as const,
  complete: true,
  listed: { episodes: 1, left_out: {} },
  read: { tasks: 1, attempts: 1, left_out: { failed: 1 } },
  rows_found: 0,
  gates: {},
  tokens: { tokenizer: 'estimate', total: 0, longest: 0 },
  rows: [],
  asks: null,
  warnings: [],
}

export function toDataset(request: DatasetRequest): Dataset {
  return makeDataset({
    status: 'queued',
    request,
    progress: { phase: 'planning', parts: 0, parts_done: 0 },
    rows: 0,
    splits: {},
    tokens: null,
    files: [],
  })
}

/** What is asked for of things of which there are none here. */
export const absent = async (): Promise<never> => {
  throw new EspalierError('not_found', 'There is none here.')
}

export const noPlays = new PlaySessions({
  environments: { open: absent },
  sessions: () => ({ open: absent }),
  clock: { now: () => 0 },
})
