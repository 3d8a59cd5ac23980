import { z } from 'zod'
import type { Json, JsonObject } from '../../shared/core/contracts/json.ts'
import { leastDollars, mostDollars } from '../../shared/core/contracts/limits.ts'
import { wrongUsage } from '../command-error.ts'

const name = z.string().min(1).max(200)

const requestShape = {
  environment: name.describe('list_environments has them.'),
  method: name.describe('list_methods has them, such as react or mcts.'),
  parameters: z.record(z.string(), z.unknown()).default({}).describe('Parameters of the method.'),
  model: name.describe(
    'The model, as its endpoint calls it; `simulated` needs no network and costs nothing.',
  ),
  endpoint: name.optional().describe('Default: openai, or simulated for the simulated model.'),
  split: name.optional().describe('The split of the tasks. Default: test.'),
  tasks: z.array(name).min(1).max(1000).optional().describe('Tasks by their ids, in place of a split.'),
  limit: z.int().min(1).max(100_000).optional().describe('At most this many tasks.'),
  seed: z.int().min(0).max(2_147_483_647).default(0),
  name: name.optional().describe('A name for people.'),
  max_cost: z
    .number()
    .min(leastDollars)
    .max(mostDollars)
    .describe('US dollars. The service pauses the run when it reaches them.'),
  more: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('Further fields of the body of POST /v1/runs, such as episode_limits, roles or tags.'),
}

export const requestSchema = z.strictObject(requestShape)

type StartRequest = z.output<typeof requestSchema>

const ownFields = ['environment', 'method', 'model', 'tasks', 'seed', 'name']

export function toRunRequest(asked: StartRequest): JsonObject {
  const { endpoint, environment, limit, max_cost, method, model, more, parameters, seed, split, tasks } =
    asked
  const doubled = ownFields.find((field) => Object.hasOwn(more, field))
  if (doubled !== undefined) throw wrongUsage(`more.${doubled}: give it as the argument "${doubled}".`)
  const { limits = {} } = more
  if (typeof limits !== 'object' || limits === null || Array.isArray(limits) || Object.hasOwn(limits, 'cost'))
    throw wrongUsage('more.limits: an object without "cost". The cap in dollars is "max_cost".')
  const selection = {
    ...(tasks === undefined ? { split: split ?? 'test' } : { ids: tasks, ...(split && { split }) }),
    ...(limit !== undefined && { limit }),
  }
  return {
    ...(more as Record<string, Json>),
    environment,
    tasks: selection,
    method: { ...(parameters as Record<string, Json>), id: method },
    model: { endpoint: endpoint ?? (model === 'simulated' ? 'simulated' : 'openai'), id: model },
    seed,
    ...(asked.name !== undefined && { name: asked.name }),
    limits: { ...(limits as Record<string, Json>), cost: max_cost },
  }
}
