import { WorkerLogs } from '../../../shared/core/engine/log/worker-logs.ts'
import type { Engine } from '../../../shared/core/engine/open-engine.ts'
import { AnswerTimes } from '../../../shared/core/engine/routing/answer-times.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { DirectHostCaller } from '../../../shared/environments/hosts/direct-host-caller.ts'
import { openMethods } from '../../../shared/play/methods/methods.ts'
import { errorFields, type Log, logToStderr } from '../../api/log.ts'
import { type EngineWiring, wireEngine } from '../../wiring/wire-engine.ts'
import { countEnd } from '../count-end.ts'
import { workerEconomy } from '../economy.ts'
import { callerOf, openServicesOf } from '../open-function-services.ts'
import { settleWorkers } from '../settle-workers.ts'

export interface PlayerNeeds {
  worker: string
  places: number
  log?: Log
  watch?: (world: World) => World
  own?: Pick<EngineWiring, 'hiddenFor' | 'mayTake' | 'onEpisodeEnd'>
}

export interface Player {
  engine: Engine
  world: World
  close(): Promise<void>
}

/**
 * Opens the engine from the variables of the stage's functions. A worker in the hosts' network calls them directly.
 * Elsewhere, `ESPALIER_CALL_HOST` names the function that forwards its calls.
 */
export async function openPlayer(
  environment: Readonly<Record<string, string | undefined>>,
  { worker, places, log = logToStderr, watch = (world) => world, own = {} }: PlayerNeeds,
): Promise<Player> {
  const { routes, settings, ...parts } = await openServicesOf(environment, {
    serves: 'fargate',
    hosts: (given, { clock, ledger }) =>
      given.ESPALIER_CALL_HOST === undefined
        ? new DirectHostCaller({ world: { clock, ledger }, network: 'private' })
        : callerOf(given),
  })
  const world = watch(parts.world)
  const { groupFor, ...economy } = workerEconomy
  const onError = (error: unknown, what: string) =>
    log({ level: 'error', event: 'service.failed', worker, what, ...errorFields(error) })
  const times = new AnswerTimes((run, seconds) =>
    routes?.measured(run, seconds).catch((error: unknown) => onError(error, `measuring ${run}`)),
  )
  const { engine } = wireEngine({
    ...parts,
    world,
    methods: openMethods(),
    worker,
    settleRequest: (request) => settleWorkers(request, settings),
    code: settings.ESPALIER_CODE,
    capacity: places,
    duties: ['episodes'],
    hasPeers: true,
    // No process observes the death of a worker that ends with its task.
    deaths: 'inferred',
    onAnswer: (run, milliseconds) => times.note(run, milliseconds),
    onError,
    ...economy,
    logs: new WorkerLogs(world, groupFor),
    ...own,
    onEpisodeEnd(run, episode, result) {
      countEnd(result)
      own.onEpisodeEnd?.(run, episode, result)
    },
  })
  return {
    engine,
    world,
    async close() {
      await parts.models.close()
      await world.close()
    },
  }
}
