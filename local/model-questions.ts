import { EspalierError } from '../shared/contracts/errors.ts'
import type { ModelChoice } from '../shared/contracts/model-choice.ts'
import type { ReconcileCall } from '../shared/engine/sweep.ts'
import type { ModelPool } from '../shared/models/model-pool.ts'

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

/** Whether an endpoint, by its name, is the simulated model. An endpoint that is configured no more is none. */
export function isSimulated(models: Pick<ModelPool, 'list'>): (endpoint: string) => boolean {
  return (name) => models.list().some(({ id, kind }) => id === name && kind === 'simulated')
}

/** Asks the endpoints' call logs; where one cannot be asked, the call counts as paid in full. */
export function reconcileWith(
  models: Pick<ModelPool, 'callLog'>,
  onError: (error: unknown) => void,
): ReconcileCall {
  return async (endpoint, call) => {
    try {
      return (await models.callLog(endpoint)?.(call)) ?? 'unknown'
    } catch (error) {
      onError(error)
      return 'unknown'
    }
  }
}
