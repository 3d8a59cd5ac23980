import { MetricUnit } from '@aws-lambda-powertools/metrics'
import type { EpisodeResult } from '../../shared/core/contracts/episode.ts'
import { metrics } from './observe.ts'

export function countEnd({ status, usage }: Pick<EpisodeResult, 'status' | 'usage'>): void {
  metrics.addMetric('EpisodesEnded', MetricUnit.Count, 1)
  if (status === 'errored') metrics.addMetric('EpisodesErrored', MetricUnit.Count, 1)
  metrics.addMetric('ModelCalls', MetricUnit.Count, usage.model_calls)
}
