import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { formatMoney } from '../../shared/core/client/format-quantity.ts'
import { wrongUsage } from '../command-error.ts'
import { formatRun } from '../format-run.ts'
import { formatRunEstimate } from '../format-run-estimate.ts'
import type { Allowance } from './allowance.ts'
import { offsetArgument } from './arguments.ts'
import { requestSchema, toRunRequest } from './run-request.ts'
import { defineTool, type Tool } from './tool.ts'

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
