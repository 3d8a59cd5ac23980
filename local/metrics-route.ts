import { type ApiApp, principalOf } from '../functions/api/api-app.ts'
import type { ApiServices } from '../functions/api/api-services.ts'
import { needs } from '../functions/api/authentication/needs.ts'
import { ownServices } from '../functions/api/own-services.ts'
import { everyOf } from '../functions/wiring/every-of.ts'
import { isOperator } from '../shared/auth/principal.ts'
import type { Run } from '../shared/contracts/run.ts'
import type { QueueCount } from '../shared/world/local/queue-rows.ts'

export interface MetricsNeeds {
  services: ApiServices
  version: string
  /** Messages of each queue, by what they wait for. */
  countMessages(): QueueCount[]
}

/**
 * Serves `GET /metrics` in the text format of Prometheus: how the caller's runs stand and what they used, by the same keys as the list
 * of runs. How many messages lie in the queues is said to the operator alone, because these are every tenant's.
 */
export function addMetricsRoute(app: ApiApp, { services, version, countMessages }: MetricsNeeds): void {
  app.use('/metrics', ...needs('runs:read').middleware)
  app.get('/metrics', async (context) => {
    const { renderMetrics } = await import('./render-metrics.ts')
    const { runs } = ownServices(services, context)
    // An archived run has used what it used: a sum that fell would be no counter.
    const found: Run[] = []
    for await (const run of everyOf((query) => runs.list({ ...query, archived: 'any' }))) found.push(run)
    const queues = isOperator(principalOf(context)) ? countMessages() : []
    const { text, type } = await renderMetrics({ runs: found, queues, version })
    return context.body(text, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  })
}
