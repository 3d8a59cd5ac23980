import type { EndpointConfiguration } from '../../shared/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../shared/contracts/errors.ts'
import type { ModelChoice } from '../../shared/contracts/model-choice.ts'
import type { RunRequest } from '../../shared/contracts/run.ts'
import type { ReconcileCall } from '../../shared/engine/spending/settle-block.ts'
import { namedChoices } from '../../shared/methods/model-calls.ts'
import { checkSampling, completeModels } from '../../shared/models/answer-defaults.ts'
import type { ModelPool } from '../../shared/models/model-pool.ts'
import { costOf } from '../../shared/models/prices.ts'

/** Whether an endpoint states a price for a model; an unknown endpoint is named by its place in the request. */
export function isPriced(models: Pick<ModelPool, 'price'>): (choice: ModelChoice, param: string) => boolean {
  return ({ endpoint, id }, param) => {
    try {
      return models.price(endpoint, id) !== null
    } catch (error) {
      if (!EspalierError.isInstance(error)) throw error
      throw new EspalierError(error.code, error.message, { param, cause: error })
    }
  }
}

/**
 * Fills in what a request leaves to its endpoints, so that the run records it, and refuses settings that their models do
 * not take.
 */
export function completeModelsWith(
  models: Pick<ModelPool, 'configuration' | 'list' | 'refresh'>,
): (request: RunRequest, tenant?: string) => Promise<RunRequest> {
  return async (request, tenant) => {
    await models.refresh()
    const names = models.list(tenant).map(({ id }) => id)
    const find = (endpoint: string, param: string) => {
      if (!names.includes(endpoint)) throw unknownEndpoint(endpoint, names, param)
      return models.configuration(endpoint)
    }
    const completed = completeModels(request, find)
    for (const [param, choice] of namedChoices(completed)) {
      checkKey(models, choice, `${param}.endpoint`)
      const endpoint = find(choice.endpoint, `${param}.endpoint`)
      if (param !== 'roles.embedding') checkSampling(endpoint, choice, param)
      checkServed(endpoint, choice, param)
    }
    return completed
  }
}

/** Refuses what a served model cannot take, which the run would otherwise meet at its first call. */
function checkServed(
  endpoint: EndpointConfiguration,
  { endpoint: name, id, max_tokens = 0 }: ModelChoice,
  param: string,
): void {
  if (endpoint.kind !== 'served') return
  const { context, model } = endpoint
  if (id !== model && id !== name) {
    throw new EspalierError(
      'invalid_request',
      `The endpoint "${name}" serves the registered model ${model} and no "${id}". Name that as the model.`,
      { param: `${param}.id` },
    )
  }
  if (context === null || max_tokens < context) return
  throw new EspalierError(
    'invalid_request',
    `The model has a context of ${context} tokens for prompt and answer together, and an answer of ${max_tokens} leaves nothing for a prompt. Lower max_tokens.`,
    { param: `${param}.max_tokens` },
  )
}

/** Refuses an endpoint without its key, where the key would be on this machine. Keys in AWS are read when they are used. */
function checkKey(
  models: Pick<ModelPool, 'configuration' | 'list'>,
  { endpoint }: Pick<ModelChoice, 'endpoint'>,
  param: string,
): void {
  const configuration = models.configuration(endpoint)
  const isElsewhere =
    (configuration.kind === 'openai' || configuration.kind === 'azure') &&
    (configuration.api_key_secret !== undefined || configuration.api_key_parameter !== undefined)
  const { ready, note } = models.list().find(({ id }) => id === endpoint) ?? { ready: true, note: null }
  if (ready || isElsewhere) return
  throw new EspalierError(
    'invalid_request',
    `${note} Give the service its key and start it again, or name another endpoint; "simulated" needs none.`,
    { param },
  )
}

/** Refuses an endpoint that is not configured, by its place in the request. */
export function checkEndpoint(
  models: Pick<ModelPool, 'list' | 'refresh'>,
): (choice: Pick<ModelChoice, 'endpoint'>, param: string) => Promise<void> {
  return async ({ endpoint }, param) => {
    await models.refresh()
    const names = models.list().map(({ id }) => id)
    if (!names.includes(endpoint)) throw unknownEndpoint(endpoint, names, param)
  }
}

function unknownEndpoint(name: string, names: readonly string[], param: string): EspalierError {
  const message = `There is no endpoint "${name}". Choose one of: ${names.join(', ')}.`
  return new EspalierError('unknown_endpoint', message, { param })
}

/** Whether an endpoint, by its name, is the simulated model. An endpoint that is configured no more is none. */
export function isSimulated(
  models: Pick<ModelPool, 'list' | 'refresh'>,
): (endpoint: string) => Promise<boolean> {
  return async (name) => {
    await models.refresh(1000)
    return models.list().some(({ id, kind }) => id === name && kind === 'simulated')
  }
}

/**
 * Asks the endpoints' call logs, and computes the cost of the calls from our own prices where we have them; a log that cannot
 * be asked now is asked again by later sweeps.
 */
export function reconcileWith(
  models: Pick<ModelPool, 'callLog' | 'price'>,
  onError: (error: unknown) => void,
): ReconcileCall {
  return async ({ endpoint, model }, call) => {
    try {
      const usage = (await models.callLog(endpoint)?.(call)) ?? 'unknown'
      if (usage === 'unknown' || usage === 'unseen') return usage
      return { ...usage, cost: costOf(models.price(endpoint, model), usage) ?? usage.cost }
    } catch (error) {
      onError(error)
      return 'unreachable'
    }
  }
}
