import { MetricUnit } from '@aws-lambda-powertools/metrics'
import { metrics, sendMetrics } from '../observe.ts'
import type { WorkerState } from './stage-worker.ts'

/**
 * Writes the metrics of this process to its log, from which CloudWatch takes them: those of ends since the last call,
 * and the worker's state. Only a task of the stage has a log for them; elsewhere it drops them.
 */
export function publishMetrics(state?: Pick<WorkerState, 'playing' | 'memory' | 'delay'>): void {
  if (process.env.POWERTOOLS_METRICS_NAMESPACE === undefined) {
    metrics.clearMetrics()
    return
  }
  if (state !== undefined) {
    // Each worker publishes once a minute, so the sum of a minute is the stage's.
    metrics.addMetric('WorkersRunning', MetricUnit.Count, 1)
    metrics.addMetric('WorkersPlaying', MetricUnit.Count, state.playing)
    metrics.addMetric('WorkerMemory', MetricUnit.Megabytes, state.memory)
    metrics.addMetric('WorkerDelay', MetricUnit.Milliseconds, state.delay)
  }
  sendMetrics()
}
