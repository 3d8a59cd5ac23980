import { formatCount, formatMoney } from '../shared/core/client/format-quantity.ts'
import type { EndpointInfo } from '../shared/core/contracts/catalogue.ts'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import type { JsonObject } from '../shared/core/contracts/json.ts'
import { unknownName } from '../shared/core/contracts/validation/nearest-name.ts'
import { CommandError } from './command-error.ts'

export interface QuickstartFlags {
  model: string
  endpoint?: string
  tasks?: number
  maxCost?: number
  maxTokens?: number
}

export interface QuickstartPlan {
  simulated: boolean
  announcement: string
  requests: { method: string; request: JsonObject }[]
}

const defaultCost = 1
const defaultTokens = 1_000_000
const shares = { react: 0.2, mcts: 0.8 }
/** The papers' search takes several hundred calls per task, more than the default cap allows. */
const smallSearch = { iterations: 2, samples: 2 }

/**
 * Plans the two runs of the quickstart. They play training tasks, because rows are built from them, and the test
 * tasks must stay unseen by a trained model. On a real endpoint they are smaller and share one cap: a dollar if the
 * endpoint has prices, tokens otherwise.
 * @param training - number of the environment's training tasks
 * @throws CommandError if the endpoint is unknown or not ready
 */
export function planQuickstart(
  flags: QuickstartFlags,
  endpoints: EndpointInfo[],
  training: number,
): QuickstartPlan {
  const name = flags.endpoint ?? (flags.model === 'simulated' ? 'simulated' : 'openai')
  const endpoint = endpoints.find((each) => each.id === name)
  if (endpoint === undefined) throw unknownEndpoint(name, endpoints)
  if (!endpoint.ready)
    throw new CommandError('endpoint_not_ready', endpoint.note ?? `${name} is not ready.`, 2)
  const simulated = endpoint.kind === 'simulated'
  const tasks = Math.min(flags.tasks ?? (simulated ? 20 : 5), training)
  const usual = isPriced(endpoint, flags.model) ? { cost: defaultCost } : { tokens: defaultTokens }
  const limits = capsOf(flags) ?? (simulated ? {} : usual)
  const requests = Object.entries(shares).map(([method, share]) => ({
    method,
    request: {
      name: `quickstart ${method}`,
      environment: exampleEnvironment,
      tasks: { split: 'train', limit: tasks },
      method: { id: method, ...(method === 'mcts' && !simulated ? smallSearch : {}) },
      model: { endpoint: name, id: flags.model },
      limits: {
        ...(limits.cost === undefined ? {} : { cost: limits.cost * share }),
        ...(limits.tokens === undefined ? {} : { tokens: Math.floor(limits.tokens * share) }),
      },
    },
  }))
  const work = `${requests.length * tasks} episodes (react and mcts on ${tasks} training tasks of ${exampleEnvironment})`
  const caps = [
    ...(limits.cost === undefined ? [] : [formatMoney(limits.cost)]),
    ...(limits.tokens === undefined ? [] : [`${formatCount(limits.tokens)} tokens`]),
  ].join(' or ')
  const calls = simulated
    ? `${work} with the simulated model; nothing is spent`
    : `${work} with ${flags.model} at ${name}: real calls`
  const stop = caps === '' ? '' : `, stopped at ${caps} in all, four fifths of it for mcts`
  const announcement = `${calls}${stop}.`
  return { simulated, announcement, requests }
}

function isPriced({ priced, models }: EndpointInfo, model: string): boolean {
  return priced && (models.length === 0 || models.includes(model))
}

function capsOf({ maxCost, maxTokens }: QuickstartFlags): { cost?: number; tokens?: number } | null {
  if (maxCost === undefined && maxTokens === undefined) return null
  return {
    ...(maxCost === undefined ? {} : { cost: maxCost }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
  }
}

function unknownEndpoint(name: string, endpoints: EndpointInfo[]): CommandError {
  const choices = endpoints.map((endpoint) => endpoint.id)
  const way =
    name === 'openai'
      ? 'Set OPENAI_API_KEY, or configure it in endpoints.json in the data folder.'
      : 'Configure it in endpoints.json in the data folder.'
  return new CommandError(
    'unknown_endpoint',
    `${unknownName('There is no endpoint', name, choices)} ${way}`,
    2,
  )
}
