import { Counter, Gauge, Registry } from 'prom-client'
import type { QueueCount } from '../shared/core/world/local/queue-rows.ts'
import type { RunTotals } from '../shared/core/world/local/run-figures.ts'

export interface MeasuredService {
  totals: RunTotals
  queues: readonly QueueCount[]
  version: string
}

/**
 * Metrics in the text format of Prometheus. After a restart the sums continue, because they come from the stored runs.
 * Runs without prices are counted separately: the cost sum excludes them.
 */
export async function renderMetrics({
  totals,
  queues,
  version,
}: MeasuredService): Promise<{ text: string; type: string }> {
  const registry = new Registry()
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `espalier_${name}`, help, labelNames, registers: [registry] })
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `espalier_${name}_total`, help, labelNames, registers: [registry] })
  const { usage } = totals

  gauge('info', 'The service; always 1.', ['version']).set({ version }, 1)
  const byStatus = gauge('runs', 'Runs by status.', ['status'])
  for (const [status, count] of Object.entries(totals.runs)) byStatus.set({ status }, count)
  const episodes = gauge('episodes', 'Episodes of all runs by state.', ['state'])
  for (const [state, count] of Object.entries(totals.episodes)) episodes.set({ state }, count)
  const tokens = counter(
    'tokens',
    'Tokens of all paid calls; cached and reasoning are parts of input and output.',
    ['type'],
  )
  for (const type of ['input', 'cached', 'output', 'reasoning'] as const)
    tokens.inc({ type }, usage[`${type}_tokens`])
  counter('model_calls', 'Calls of models that were paid for, lost ones included.').inc(usage.model_calls)
  counter('lost_calls', 'Paid calls whose answer was lost.').inc(totals.lost_calls)
  counter('cost_dollars', 'US dollars spent by the runs whose endpoints state prices.').inc(usage.cost)
  gauge('unpriced_runs', 'Runs whose cost is not known, because an endpoint states no price.').set(
    totals.unpriced,
  )
  gauge('troubled_runs', 'Runs whose calls are not answered at the moment.').set(totals.troubled)
  if (queues.length > 0) {
    const messages = gauge('queue_messages', 'Messages in the queues of the service.', ['queue', 'state'])
    for (const { queue, state, count } of queues) messages.set({ queue, state }, count)
  }
  return { text: await registry.metrics(), type: registry.contentType }
}
