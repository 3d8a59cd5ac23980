import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { RunRequest } from '../../shared/core/contracts/run.ts'
import type { Settings } from './settings.ts'

/**
 * Records a request's worker kind: its own, the stage's setting, or Lambda in a stage without long-lived workers.
 * @throws EspalierError `invalid_request` if it requests workers that the stage does not have
 */
export function settleWorkers(
  request: RunRequest,
  { ESPALIER_QUEUE_LASTING, ESPALIER_WORKERS }: Pick<Settings, 'ESPALIER_QUEUE_LASTING' | 'ESPALIER_WORKERS'>,
): RunRequest {
  if (ESPALIER_QUEUE_LASTING !== undefined)
    return { ...request, workers: request.workers ?? ESPALIER_WORKERS }
  if (request.workers !== 'fargate') return { ...request, workers: 'lambda' }
  throw new EspalierError(
    'invalid_request',
    'This stage has no long-lived workers. Leave "workers" out, or deploy the stage with them: npm run deploy -- --max-workers 4.',
    { param: 'workers' },
  )
}
