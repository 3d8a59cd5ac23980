import type { EpisodeResult } from '../../shared/core/contracts/episode.ts'
import { openMethods } from '../../shared/play/methods/methods.ts'
import { type EngineWiring, type WiredEngine, wireEngine } from '../wiring/wire-engine.ts'
import { countEnd } from './count-end.ts'
import { economy } from './economy.ts'
import { logError, logger } from './observe.ts'
import type { FunctionServices } from './open-function-services.ts'
import { settleWorkers } from './settle-workers.ts'

export function wiringOf({ settings, routes, ...parts }: FunctionServices, worker: string): EngineWiring {
  return {
    ...parts,
    // Methods from files are for services on one machine: a function contains only bundled methods.
    methods: openMethods(),
    worker,
    settleRequest: (request) => settleWorkers(request, settings),
    code: settings.ESPALIER_CODE,
    onError: logError,
    onEpisodeEnd: reportEnd,
    // Its event brings all that it plays: no episode needs to wait for its version.
    duties: [],
    // No process observes the death of an invocation.
    deaths: 'inferred',
    ...economy,
  }
}

export function openInvocationEngine(
  parts: FunctionServices,
  worker: string,
  own: Pick<EngineWiring, 'onAnswer'> = {},
): WiredEngine {
  return wireEngine({ ...wiringOf(parts, worker), ...own })
}

function reportEnd(run: string, episode: string, { status, reward, usage }: EpisodeResult): void {
  logger.info('episode.ended', { run, episode, status, reward, usage })
  countEnd({ status, usage })
}
