import { EspalierError } from '../../shared/contracts/errors.ts'
import type { RunRequest } from '../../shared/contracts/run.ts'
import type { Settings } from './settings.ts'

/**
 * Writes into a request what plays its episodes, so that the run records it: what it says, or what the stage is set to; in a stage
 * without long-lived workers, Lambda.
 *
 * @throws EspalierError `invalid_request` where it asks for workers that the stage does not have
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
