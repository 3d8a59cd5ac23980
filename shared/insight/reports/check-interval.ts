import { EspalierError } from '../../core/contracts/errors.ts'
import type { IntervalKind } from '../../core/contracts/report.ts'
import { mostBootstrapTasks } from './bootstrap.ts'

/**
 * @param tasks of all runs together
 * @throws EspalierError `invalid_request` for a bootstrap over more tasks than can be drawn within the time of a
 * request
 */
export function checkInterval(interval: IntervalKind, tasks: number): void {
  if (interval === 't' || tasks <= mostBootstrapTasks) return
  throw new EspalierError(
    'invalid_request',
    `A bootstrap over ${tasks} tasks takes too long; ${mostBootstrapTasks} are the most, those of all runs together. Take the interval t, which hardly differs with so many.`,
    { param: 'interval' },
  )
}
