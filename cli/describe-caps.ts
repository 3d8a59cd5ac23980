import type { ApiClient } from '../shared/core/client/api-client.ts'
import { ApiError } from '../shared/core/client/api-error.ts'
import type { RunEstimate } from '../shared/core/contracts/estimate.ts'
import type { JsonObject } from '../shared/core/contracts/json.ts'
import type { Run } from '../shared/core/contracts/run.ts'
import type { Terminal } from './terminal.ts'

const caps = ['limits.cost', 'limits.tokens']

/**
 * Estimates how many episodes the caps of a request pay for, before anything is spent.
 * @returns a line for people; null if the request has no cap, if the caps pay for every episode, or if nothing can be
 * estimated
 */
export async function describeCaps(
  client: Pick<ApiClient, 'estimateRun'>,
  request: JsonObject,
): Promise<((total: number) => string) | null> {
  const { limits } = request
  if (typeof limits !== 'object' || limits === null) return null
  if (!('cost' in limits) && !('tokens' in limits)) return null
  const estimate = await client.estimateRun(request).catch((error: unknown) => {
    // The request that starts the run reports the error.
    if (error instanceof ApiError) return null
    throw error
  })
  return estimate === null ? null : lineOf(estimate)
}

export async function noteCaps(
  client: Pick<ApiClient, 'estimateRun'>,
  { episodes, request }: Run,
  terminal: Pick<Terminal, 'note'>,
): Promise<void> {
  // It was JSON when it came.
  const caps = await describeCaps(client, request as unknown as JsonObject)
  if (caps !== null) terminal.note(caps(episodes.total))
}

function lineOf({ episodes, limits }: RunEstimate): ((total: number) => string) | null {
  const [binding] = limits.filter(({ param, binds }) => caps.includes(param) && binds === 'expected')
  if (binding === undefined) return null
  const paid = Math.floor(episodes.expected)
  return (total) =>
    `${binding.param} ${binding.value} pays for about ${paid} of ${total} episodes, by the estimate that --dry-run shows. They finish one after the other.`
}
