import { EspalierError } from '../../shared/contracts/errors.ts'
import type { ModelChoice } from '../../shared/contracts/model-choice.ts'
import { unknownName } from '../../shared/contracts/validation/nearest-name.ts'
import type { ReconcileCall } from '../../shared/engine/spending/settle-block.ts'
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

export function unknownEndpoint(name: string, names: readonly string[], param: string): EspalierError {
  return new EspalierError('unknown_endpoint', unknownName('There is no endpoint', name, names), { param })
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
