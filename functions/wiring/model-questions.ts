import { endpointShares } from '../../shared/core/contracts/endpoint-shares.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { ModelChoice } from '../../shared/core/contracts/model-choice.ts'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import type { ReconcileCall } from '../../shared/core/engine/spending/settle-block.ts'
import type { ModelPool } from '../../shared/play/models/model-pool.ts'
import { costOf } from '../../shared/play/models/prices.ts'

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

export function pricedModels(models: Pick<ModelPool, 'list'>): (endpoint: string) => readonly string[] {
  return (endpoint) => models.list().find(({ id }) => id === endpoint)?.models ?? []
}

export function checkEndpoint(
  models: Pick<ModelPool, 'list' | 'refresh'>,
): (choice: Pick<ModelChoice, 'endpoint'>, param: string, tenant: string) => Promise<void> {
  return async ({ endpoint }, param, tenant) => {
    await models.refresh()
    const names = models.list(tenant).map(({ id }) => id)
    if (!names.includes(endpoint)) throw unknownEndpoint(endpoint, names, param)
  }
}

export function unknownEndpoint(name: string, names: readonly string[], param: string): EspalierError {
  return new EspalierError('unknown_endpoint', unknownName('There is no endpoint', name, names), { param })
}

export function isSimulated(
  models: Pick<ModelPool, 'list' | 'refresh'>,
): (endpoint: string) => Promise<boolean> {
  return async (name) => {
    await models.refresh(1000)
    const names = new Set(endpointShares(name).map(({ endpoint }) => endpoint))
    return models.list().some(({ id, kind }) => names.has(id) && kind === 'simulated')
  }
}

/**
 * Reads the endpoints' call logs and computes call costs from our own prices if known. Later sweeps retry a log that
 * is unavailable now.
 */
export function reconcileWith(
  models: Pick<ModelPool, 'callLog' | 'price'>,
  onError: (error: unknown) => void,
): ReconcileCall {
  return async ({ endpoint, model }, call) => {
    try {
      const found = (await models.callLog(endpoint)?.(call)) ?? 'unknown'
      if (found === 'unknown' || found === 'unseen') return found
      const { cache_write_tokens: written_tokens = 0, ...usage } = found
      const cost = costOf(models.price(endpoint, model), { ...usage, written_tokens })
      return { ...usage, cost: cost ?? usage.cost }
    } catch (error) {
      onError(error)
      return 'unreachable'
    }
  }
}
