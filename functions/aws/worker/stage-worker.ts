import { randomUUID } from 'node:crypto'
import { ledgerKeys } from '../../../shared/engine/keys.ts'
import type { Log } from '../../api/log.ts'
import { AlonePlayer } from './alone-player.ts'
import { LoadGauge } from './load-gauge.ts'
import { openPlayer } from './open-player.ts'
import { Reachability } from './reachability.ts'

export interface StageWorkerOptions {
  /** The variables that the stage's functions have. */
  environment: NodeJS.ProcessEnv
  /** Episodes in flight at most. */
  places: number
  /** Bytes of memory that there are for it. */
  memory: number
  log: Log
  /** Called when it should end, with the reason: it cannot reach its stage, or uses too much memory. */
  onLost: (error: Error) => void
}

/** How a worker stands. */
export interface WorkerState {
  worker: string
  playing: number
  places: number
  /** Episodes that have ended here. */
  ended: number
  /** Milliseconds by which its event loop is late. */
  delay: number
  /** Resident megabytes. */
  memory: number
  /** Whether it takes more: it has places free, and time and memory for what comes. */
  takes: boolean
}

export interface StageWorker {
  readonly name: string
  state(): WorkerState
  /**
   * Takes nothing more, lets calls under way finish, cuts off those that have not after `grace` seconds, commits, and sends the
   * episodes on to others.
   */
  stop(grace: number): Promise<void>
}

/** Seconds for which a message that is played stays hidden; hidden anew every third of it. */
const hiddenFor = 1800

/**
 * Joins a stage and plays its episodes for as long as the process lives: each place that becomes free takes the next message at
 * once. While the event loop is late or memory short, nothing is taken.
 *
 * @throws EspalierError `storage_failed` or `invalid_request` where the stage's table cannot be reached
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
  const load = new LoadGauge(memory, (found) =>
    onLost(new Error(`It uses ${inMegabytes(found.memory)} MB of memory, of ${inMegabytes(memory)}.`)),
  )
  const reachability = new Reachability(onLost)
  const { close, engine, world } = await openPlayer(environment, {
    worker: name,
    places,
    log,
    watch: (opened) => reachability.watch(opened),
    own: {
      hiddenFor,
      mayTake: () => load.isLight,
      onEpisodeEnd(run, episode, { status, reward, usage }) {
        ended += 1
        log({ level: 'info', event: 'episode.ended', run, episode, status, reward, usage })
      },
    },
  })
  const alone = new AlonePlayer({ world, engine, environment, log })
  try {
    await world.ledger.get(ledgerKeys.worker(name))
    await engine.worker.start()
  } catch (error) {
    load.stop()
    await close()
    throw error
  }
  alone.start()
  return {
    name,
    state() {
      const { delay, memory: used } = load.load
      const playing = engine.worker.playing + (alone.isPlaying ? 1 : 0)
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
      await Promise.all([engine.worker.stop(grace), alone.stop(grace + 5)])
      load.stop()
      await close()
    },
  }
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / 1e6)
}
