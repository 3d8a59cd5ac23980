import { randomUUID } from 'node:crypto'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import type { Log } from '../../api/log.ts'
import { AlonePlayer } from './alone-player.ts'
import { LoadGauge } from './load-gauge.ts'
import { openPlayer } from './open-player.ts'
import { Reachability } from './reachability.ts'

export interface StageWorkerOptions {
  environment: NodeJS.ProcessEnv
  places: number
  memory: number
  log: Log
  onLost: (error: Error) => void
}

export interface WorkerState {
  worker: string
  playing: number
  places: number
  ended: number
  delay: number
  memory: number
  takes: boolean
}

export interface StageWorker {
  readonly name: string
  state(): WorkerState
  /**
   * Takes no more episodes and waits up to `grace` seconds for pending calls, then cuts them off, commits and sends
   * the episodes on.
   */
  stop(grace: number): Promise<void>
}

const hiddenSeconds = 1800

/**
 * Joins a stage and plays its episodes as long as the process lives. Each free place takes the next message
 * immediately, unless the event loop is late or memory is short.
 * @throws EspalierError `storage_failed` or `invalid_request` if the stage's table cannot be reached
 */
export async function startStageWorker({
  environment,
  places,
  memory,
  log,
  onLost,
}: StageWorkerOptions): Promise<StageWorker> {
  const name = `worker-${randomUUID()}`
  let ended = 0
  let alone: AlonePlayer | null = null
  const load = new LoadGauge(
    memory,
    (found) =>
      onLost(new Error(`It uses ${inMegabytes(found.memory)} MB of memory, of ${inMegabytes(memory)}.`)),
    () => alone?.pid,
  )
  const reachability = new Reachability(onLost)
  const { close, engine, world } = await openPlayer(environment, {
    worker: name,
    places,
    log,
    watch: (opened) => reachability.watch(opened),
    own: {
      hiddenFor: hiddenSeconds,
      mayTake: () => load.isLight,
      onEpisodeEnd(run, episode, { status, reward, usage }) {
        ended += 1
        log({ level: 'info', event: 'episode.ended', run, episode, status, reward, usage })
      },
    },
  })
  const player = new AlonePlayer({ world, engine, environment, log })
  alone = player
  try {
    await world.ledger.get(ledgerKeys.worker(name))
    await engine.worker.start()
  } catch (error) {
    load.stop()
    await close()
    throw error
  }
  player.start()
  return {
    name,
    state() {
      const { delay, memory: used } = load.load
      const playing = engine.worker.playing + (player.isPlaying ? 1 : 0)
      const takes = playing < places && load.isLight
      return {
        worker: name,
        playing,
        places,
        ended,
        delay: Math.round(delay),
        memory: inMegabytes(used),
        takes,
      }
    },
    async stop(grace) {
      await Promise.all([engine.worker.stop(grace), player.stop(grace + 5)])
      load.stop()
      await close()
    },
  }
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / 1e6)
}
