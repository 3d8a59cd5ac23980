import { MetricUnit } from '@aws-lambda-powertools/metrics'
import type { EpisodeResult } from '../../shared/contracts/episode.ts'
import { type WiredService, wireService } from '../wiring/wire-service.ts'
import { economy } from './economy.ts'
import { logError, logger, metrics } from './observe.ts'
import type { Parts } from './open-parts.ts'

/**
 * The service as one invocation uses it.
 *
 * @param worker - names the invocation among all that play episodes
 */
export function openService({ settings, ...parts }: Parts, worker: string): WiredService {
  return wireService({
    ...parts,
    worker,
    code: settings.ESPALIER_CODE,
    onError: logError,
    onEpisodeEnd: reportEnd,
    // An invocation that dies has no witness.
    deaths: 'inferred',
    ...economy,
  })
}

function reportEnd(run: string, episode: string, { status, reward, usage }: EpisodeResult): void {
  logger.info('episode.ended', { run, episode, status, reward, usage })
  metrics.addMetric('EpisodesEnded', MetricUnit.Count, 1)
  if (status === 'errored') metrics.addMetric('EpisodesErrored', MetricUnit.Count, 1)
  metrics.addMetric('ModelCalls', MetricUnit.Count, usage.model_calls)
}
