import { randomBytes } from 'node:crypto'
import type { World } from '../world/ports.ts'
import type { EpisodePrograms } from './episodes/episode-program.ts'
import { EpisodeRunner } from './episodes/episode-runner.ts'
import { openRuns } from './runs/open-runs.ts'
import { RunDefinitions } from './runs/run-definition.ts'
import type { RunPlanner } from './runs/run-planner.ts'
import { RunStore } from './runs/run-store.ts'
import type { Runs } from './runs/runs.ts'
import { Spending } from './spending/spending.ts'
import { type ReconcileCall, sweep } from './sweep.ts'
import { Worker, type WorkerOptions } from './worker.ts'

export interface EngineOptions {
  world: World
  planner: RunPlanner
  programs: EpisodePrograms
  reconcile: ReconcileCall
  /** The version of the code, kept with each journal segment. */
  code: string
  /** Names this process's worker; by default a new name. */
  worker?: string
}

export interface Engine {
  readonly runs: Runs
  readonly runner: EpisodeRunner
  readonly worker: Worker
  /** See {@link sweep}. */
  sweep(options: { lostAfter: number }): Promise<void>
}

/**
 * Puts the parts of the engine together over a world. Nothing is played before `worker.start()`.
 *
 * @example
 * const engine = openEngine({ world, planner, programs, reconcile, code, capacity: 1000, onError: console.error })
 * await engine.worker.start()
 * const run = await engine.runs.create(request)
 */
export function openEngine(options: EngineOptions & Pick<WorkerOptions, 'capacity' | 'onError'>): Engine {
  const { world, planner, programs, reconcile, code, capacity, onError } = options
  const worker = options.worker ?? `worker-${randomBytes(6).toString('hex')}`
  const store = new RunStore(world)
  const definitions = new RunDefinitions(world.objects)
  const spending = new Spending(world, store, worker)
  const runner = new EpisodeRunner({ world, store, definitions, spending, programs, worker, code })
  const player = new Worker({ world, store, runner, worker, capacity, onError })
  return {
    runs: openRuns({ world, store, definitions, planner, programs }),
    runner,
    worker: player,
    async sweep({ lostAfter }) {
      await player.stayAlive()
      await sweep({ world, store, definitions, reconcile, self: worker, lostAfter })
    },
  }
}
