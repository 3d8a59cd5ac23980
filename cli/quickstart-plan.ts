import type { EndpointInfo } from '../shared/contracts/catalogue.ts'
import type { JsonObject } from '../shared/contracts/json.ts'
import { CommandError } from './command-error.ts'
import { formatCount, formatMoney } from './format-quantity.ts'

export interface QuickstartFlags {
  model: string
  endpoint?: string
  tasks: number
  maxCost?: number
  maxTokens?: number
}

/** What a quickstart is about to do. */
export interface QuickstartPlan {
  simulated: boolean
  /** One line on what is about to be spent. */
  announcement: string
  /** The runs to start, the baseline first. */
  requests: { method: string; request: JsonObject }[]
}

const defaultCost = 1
const defaultTokens = 1_000_000
const methods = ['react', 'mcts']

/**
 * The two runs of the quickstart. On a real endpoint both share one cap: a dollar where the endpoint has prices, tokens
 * where it has none.
 *
 * @throws CommandError where the endpoint is unknown or not ready
 */
export function planQuickstart(flags: QuickstartFlags, endpoints: EndpointInfo[]): QuickstartPlan {
  const name = flags.endpoint ?? (flags.model === 'simulated' ? 'simulated' : 'openai')
  const endpoint = endpoints.find((each) => each.id === name)
  if (endpoint === undefined) throw unknownEndpoint(name, endpoints)
  if (!endpoint.ready)
    throw new CommandError('endpoint_not_ready', endpoint.note ?? `${name} is not ready.`, 2)
  const simulated = endpoint.kind === 'simulated'
  const limits = simulated ? {} : capsOf(flags, isPriced(endpoint, flags.model))
  const share = Object.fromEntries(
    Object.entries(limits).map(([limit, cap]) => [limit, limit === 'cost' ? cap / 2 : Math.floor(cap / 2)]),
  )
  const requests = methods.map((method) => ({
    method,
    request: {
      name: `quickstart ${method}`,
      environment: 'textcraft',
      tasks: { split: 'test', limit: flags.tasks },
      method: { id: method },
      // Reasoning models spend their thoughts from the same allowance as the answer.
      model: { endpoint: name, id: flags.model, ...(simulated ? {} : { max_tokens: 4096 }) },
      limits: share,
    },
  }))
  const episodes = `${methods.length * flags.tasks} episodes (${methods.join(' and ')} on ${flags.tasks} TextCraft test tasks)`
  const cap = [
    limits.cost === undefined ? null : formatMoney(limits.cost),
    limits.tokens === undefined ? null : `${formatCount(limits.tokens)} tokens`,
  ].filter((each) => each !== null)
  const announcement = simulated
    ? `${episodes} with the simulated model; nothing is spent.`
    : `${episodes} with ${flags.model} at ${name}: real calls, stopped at ${cap.join(' or ')} in all, half for each run.`
  return { simulated, announcement, requests }
}

/** Prices for every model are listed as none. */
function isPriced({ priced, models }: EndpointInfo, model: string): boolean {
  return priced && (models.length === 0 || models.includes(model))
}

function capsOf(flags: QuickstartFlags, priced: boolean): { cost?: number; tokens?: number } {
  const { maxCost, maxTokens } = flags
  if (maxCost === undefined && maxTokens === undefined) {
    return priced ? { cost: defaultCost } : { tokens: defaultTokens }
  }
  return {
    ...(maxCost === undefined ? {} : { cost: maxCost }),
    ...(maxTokens === undefined ? {} : { tokens: maxTokens }),
  }
}

function unknownEndpoint(name: string, endpoints: EndpointInfo[]): CommandError {
  const choices = endpoints.map((endpoint) => endpoint.id).join(', ')
  const way =
    name === 'openai'
      ? 'Set OPENAI_API_KEY, or configure it in endpoints.json in the data folder.'
      : 'Configure it in endpoints.json in the data folder.'
  return new CommandError(
    'unknown_endpoint',
    `There is no endpoint "${name}". ${way} There are: ${choices}.`,
    2,
  )
}
