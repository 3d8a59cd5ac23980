import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { formatMoney } from '../../shared/core/client/format-quantity.ts'
import type { Json, JsonObject } from '../../shared/core/contracts/json.ts'
import { leastDollars, mostDollars } from '../../shared/core/contracts/limits.ts'
import { wrongUsage } from '../command-error.ts'
import { formatRun } from '../format-run.ts'
import { formatRunEstimate } from '../format-run-estimate.ts'
import type { Allowance } from './allowance.ts'
import { offsetArgument } from './arguments.ts'
import { defineTool, type Tool } from './tool.ts'

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

const width = 160
const estimateRun = defineTool({
  name: 'estimate_run',
  description: 'Estimates the calls, tokens and dollars of a run, and starts nothing.',
  scope: 'runs:write',
  input: requestSchema,
  answer: (desk, asked) =>
    desk.read(async ({ client }) => {
      const estimate = await client.estimateRun(toRunRequest(asked))
      return [...formatRunEstimate(estimate, width), '', leftOf(desk.allowance)].join('\n')
    }),
})

const startRun = defineTool({
  name: 'start_run',
  description:
    'Starts a run and answers at once. `max_cost` is its cap in dollars, which the service enforces; the caps of all runs together stay within the allowance of this server. Follow it with get_run.',
  scope: 'runs:write',
  changes: true,
  input: requestSchema,
  answer: async (desk, asked) => {
    const request = toRunRequest(asked)
    return desk.play(async ({ client }) => {
      await settleAll(desk.allowance, client)
      const run = await desk.allowance.take(asked.max_cost, () => client.createRun(request, randomUUID()))
      return [...formatRun(run, width), '', leftOf(desk.allowance)].join('\n')
    })
  },
})

const cancelRun = defineTool({
  name: 'cancel_run',
  description:
    'Ends a run that this server started, for good. Ended episodes keep their results, and the unspent part of its cap returns to the allowance.',
  scope: 'runs:write',
  changes: true,
  input: z.strictObject({
    run: z.string().min(1).max(128).describe('The id of a run.'),
    offset: offsetArgument,
  }),
  answer: async (desk, { run }) => {
    if (!desk.allowance.has(run)) {
      throw wrongUsage(`run: this server did not start "${run}". Its user can end it: espalier cancel RUN.`)
    }
    return desk.play(async ({ client }) => {
      const cancelled = await client.changeRun(run, 'cancel')
      desk.allowance.settle(cancelled)
      return [...formatRun(cancelled, width), '', leftOf(desk.allowance)].join('\n')
    })
  },
})

async function settleAll(allowance: Allowance, client: Pick<ApiClient, 'run'>): Promise<void> {
  for (const run of allowance.runs) allowance.settle(await client.run(run))
}

function leftOf({ left, most }: Allowance): string {
  return `${formatMoney(left)} of the ${formatMoney(most)} for runs of this server are left.`
}

export const startingTools: readonly Tool[] = [estimateRun, startRun, cancelRun]
