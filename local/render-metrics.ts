import { Counter, Gauge, Registry } from 'prom-client'
import { episodeCountsSchema, type Run, runStatusSchema } from '../shared/contracts/run.ts'
import type { QueueCount } from '../shared/world/local/queue-rows.ts'

/** What the metrics are about. */
export interface MeasuredService {
  runs: readonly Run[]
  /** Empty where the caller may not see them. */
  queues: readonly QueueCount[]
  version: string
}

const { total: _, ...episodeStates } = episodeCountsSchema.shape

/**
 * Metrics in the text format of Prometheus. They are read from the runs as they stand, so a service that starts again goes on with
 * the same sums. Runs without prices are counted apart: their cost is not known, and is not in the sum.
 */
export async function renderMetrics({
  runs,
  queues,
  version,
}: MeasuredService): Promise<{ text: string; type: string }> {
  const registry = new Registry()
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name: `espalier_${name}`, help, labelNames, registers: [registry] })
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name: `espalier_${name}_total`, help, labelNames, registers: [registry] })
  const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0)

  gauge('info', 'The service; always 1.', ['version']).set({ version }, 1)
  const byStatus = gauge('runs', 'Runs by status.', ['status'])
  for (const status of runStatusSchema.options)
    byStatus.set({ status }, runs.filter((run) => run.status === status).length)
  const episodes = gauge('episodes', 'Episodes of all runs by state.', ['state'])
  for (const state of Object.keys(episodeStates) as (keyof typeof episodeStates)[])
    episodes.set(
      { state },
      sum((run) => run.episodes[state]),
    )
  const tokens = counter(
    'tokens',
    'Tokens of all paid calls; cached and reasoning are parts of input and output.',
    ['type'],
  )
  tokens.inc(
    { type: 'input' },
    sum(({ usage }) => usage.input_tokens),
  )
  tokens.inc(
    { type: 'cached' },
    sum(({ usage }) => usage.cached_tokens ?? 0),
  )
  tokens.inc(
    { type: 'output' },
    sum(({ usage }) => usage.output_tokens),
  )
  tokens.inc(
    { type: 'reasoning' },
    sum(({ usage }) => usage.reasoning_tokens ?? 0),
  )
  counter('model_calls', 'Calls of models that were paid for, lost ones included.').inc(
    sum(({ usage }) => usage.model_calls),
  )
  counter('lost_calls', 'Paid calls whose answer was lost.').inc(sum(({ lost_calls }) => lost_calls))
  counter('cost_dollars', 'US dollars spent by the runs whose endpoints state prices.').inc(
    sum(({ usage }) => usage.cost ?? 0),
  )
  gauge('unpriced_runs', 'Runs whose cost is not known, because an endpoint states no price.').set(
    runs.filter(({ usage }) => usage.cost === null).length,
  )
  gauge('troubled_runs', 'Runs whose calls are not answered at the moment.').set(
    runs.filter(({ last_problem }) => last_problem != null).length,
  )
  if (queues.length > 0) {
    const messages = gauge('queue_messages', 'Messages in the queues of the service.', ['queue', 'state'])
    for (const { queue, state, count } of queues) messages.set({ queue, state }, count)
  }
  return { text: await registry.metrics(), type: registry.contentType }
}
