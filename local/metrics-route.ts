import { type ApiApp, principalOf } from '../functions/api/api-app.ts'
import { needs } from '../functions/api/authentication/needs.ts'
import { isOperator } from '../shared/core/auth/principal.ts'
import type { FolderSums } from '../shared/core/world/local/open-stores.ts'

export interface MetricsNeeds {
  world: FolderSums
  version: string
}

/**
 * Serves `GET /metrics` in the text format of Prometheus: sums over the caller's runs, including archived ones, under
 * the same keys as the list of runs. Only the operator sees the queues' message counts, because they cover every
 * tenant.
 */
export function addMetricsRoute(app: ApiApp, { world, version }: MetricsNeeds): void {
  app.use('/metrics', ...needs('runs:read').middleware)
  app.get('/metrics', async (context) => {
    const { renderMetrics } = await import('./render-metrics.ts')
    const principal = principalOf(context)
    const totals = await world.sumRuns(principal.tenant)
    const queues = isOperator(principal) ? world.countMessages() : []
    const { text, type } = await renderMetrics({ totals, queues, version })
    return context.body(text, 200, { 'Content-Type': type, 'Cache-Control': 'no-store' })
  })
}
