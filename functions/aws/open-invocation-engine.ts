import { MetricUnit } from '@aws-lambda-powertools/metrics'
import type { EpisodeResult } from '../../shared/contracts/episode.ts'
import { openMethods } from '../../shared/methods/methods.ts'
import { type EngineWiring, type WiredEngine, wireEngine } from '../wiring/wire-engine.ts'
import { economy } from './economy.ts'
import { logError, logger, metrics } from './observe.ts'
import type { Parts } from './open-parts.ts'
import { settleWorkers } from './settle-workers.ts'

/** What one invocation wires. @param worker - names the invocation among all that play episodes */
export function wiringOf({ settings, routes, ...parts }: Parts, worker: string): EngineWiring {
  return {
    ...parts,
    // Methods of files are for services on one machine: a function holds what was bundled.
    methods: openMethods(),
    worker,
    settleRequest: (request) => settleWorkers(request, settings),
    code: settings.ESPALIER_CODE,
    onError: logError,
    onEpisodeEnd: reportEnd,
    // An invocation that dies has no witness.
    deaths: 'inferred',
    ...economy,
  }
}

/** The engine as one invocation uses it that plays, builds or sweeps. It reads less code at its start than the whole service. */
export function openInvocationEngine(
  parts: Parts,
  worker: string,
  own: Pick<EngineWiring, 'onAnswer'> = {},
): WiredEngine {
  return wireEngine({ ...wiringOf(parts, worker), ...own })
}

function reportEnd(run: string, episode: string, { status, reward, usage }: EpisodeResult): void {
  logger.info('episode.ended', { run, episode, status, reward, usage })
  metrics.addMetric('EpisodesEnded', MetricUnit.Count, 1)
  if (status === 'errored') metrics.addMetric('EpisodesErrored', MetricUnit.Count, 1)
  metrics.addMetric('ModelCalls', MetricUnit.Count, usage.model_calls)
}
