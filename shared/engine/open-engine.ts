import { randomBytes } from 'node:crypto'
import type { LastProblem } from '../contracts/model-failure.ts'
import type { World } from '../world/ports.ts'
import { Steward } from './ends/steward.ts'
import type { EpisodeObserver } from './episode-observer.ts'
import { blameEpisode, type DeathCounting, type WorkerDeath } from './episodes/blame-episode.ts'
import { buryEpisode, noteFailure } from './episodes/dead-letters.ts'
import { deriveEnd } from './episodes/derive-end.ts'
import type { EpisodeMessage } from './episodes/episode-message.ts'
import type { EpisodePrograms } from './episodes/episode-program.ts'
import { EpisodeRunner, type RunnerOptions } from './episodes/episode-runner.ts'
import { Preflight, type PreflightOptions, type Probes } from './preflight/preflight.ts'
import { ProblemBook } from './preflight/problem-book.ts'
import { Presence } from './presence.ts'
import { openRuns } from './runs/open-runs.ts'
import { RunDefinitions } from './runs/run-definition.ts'
import type { RunPlanner } from './runs/run-planner.ts'
import { RunStore } from './runs/run-store.ts'
import type { TenantRuns } from './runs/runs.ts'
import type { ReconcileCall } from './spending/settle-block.ts'
import { Spending, type SpendingOptions } from './spending/spending.ts'
import { sweep } from './sweep.ts'
import { allDuties, Worker, type WorkerOptions } from './worker.ts'
import type { DeadWorkerTimes } from './workers.ts'

export interface EngineOptions {
  world: World
  planner: RunPlanner
  programs: EpisodePrograms
  reconcile: ReconcileCall
  /**
   * The problem that the storage of the service has now. It stands as `last_problem` of every run that has not ended.
   *
   * @default none
   */
  storageProblem?: () => LastProblem | null
  /** What is asked of a run's models before its first episode. @default nothing */
  probes?: Probes
  /** See {@link PreflightOptions}. */
  probeDelays?: readonly number[]
  /** The version of the code, kept with each journal segment. */
  code: string
  /** Names this process's worker; by default a new name. */
  worker?: string
  /** See {@link SpendingOptions}. @default 1 */
  callsAtOnce?: number
  /** Who counts the workers that died of an episode that they played alone. @default 'inferred' */
  deaths?: DeathCounting
  /** Milliseconds that results may wait for others in flight, to share a segment of the journal. @default 0 */
  gatherFor?: number
  /** Milliseconds between looks at whether a run was paused or cancelled, or has other caps. @default 1000 */
  lookEvery?: number
  /** Called with every episode that ended here. */
  onEpisodeEnd?: NonNullable<RunnerOptions['onEpisodeEnd']>
  /** See {@link RunnerOptions}. */
  onAnswer?: NonNullable<RunnerOptions['onAnswer']>
  /** See {@link RunnerOptions}. */
  observer?: EpisodeObserver
  /** Episodes that {@link Engine.worker} plays side by side at most. @default 1000 */
  capacity?: number
  /** What {@link Engine.worker} does. @default everything: it is the only worker, or one of several alike */
  duties?: WorkerOptions['duties']
  /** See {@link WorkerOptions}. @default false */
  hasPeers?: boolean
  /** See {@link WorkerOptions}. */
  hiddenFor?: number
  /** See {@link WorkerOptions}. */
  mayTake?: () => boolean
  /** See {@link WorkerOptions}. */
  onAlone?: WorkerOptions['onAlone']
  /** Called with everything that went wrong around an episode; its message comes back later. */
  onError: (error: unknown, what: string) => void
}

export interface Engine {
  readonly runs: TenantRuns
  readonly runner: EpisodeRunner
  /** Plays what is queued for as long as the process lives. */
  readonly worker: Worker
  /** For an entry point that is handed its messages: brackets what it plays with {@link runner}. */
  readonly presence: Presence
  /** See {@link buryEpisode}. */
  bury(message: EpisodeMessage): Promise<boolean>
  /** See {@link blameEpisode}. */
  blame(message: EpisodeMessage, death: WorkerDeath): Promise<boolean>
  /** See {@link deriveEnd}. */
  deriveEnd(episode: { run: string; episode: string }): Promise<string[]>
  /** See {@link noteFailure}. */
  note(message: EpisodeMessage, error: unknown): Promise<void>
  /** See {@link sweep}. */
  sweep(options: { lostAfter: number }): Promise<void>
}

/**
 * Puts the parts of the engine together over a world. Nothing is played before `worker.start()`.
 *
 * @example
 * const engine = openEngine({ world, planner, programs, reconcile, code, onError: console.error })
 * await engine.worker.start()
 * const run = await engine.runs.of('default').create(request)
 */
export function openEngine(options: EngineOptions): Engine {
  const { world, planner, programs, reconcile, code, onError } = options
  const { capacity = 1000, callsAtOnce = 1, deaths = 'inferred', gatherFor = 0, lookEvery = 1000 } = options
  const { duties = allDuties, hasPeers = false, onAlone = async () => undefined } = options
  const worker = options.worker ?? `worker-${randomBytes(6).toString('hex')}`
  const { observer } = options
  const store = new RunStore(world, (row) => observer?.runEnded(row))
  const definitions = new RunDefinitions(world.objects)
  const steward = new Steward({ world, store, definitions, worker })
  const spending = new Spending({ world, store, worker, callsAtOnce })
  const problems = new ProblemBook({ world, store, onError })
  const { probes = () => [], probeDelays: delays } = options
  const preflight = new Preflight({
    world,
    store,
    spending,
    problems,
    probes,
    worker,
    ...(delays !== undefined && { delays }),
  })
  const runner = new EpisodeRunner({
    world,
    store,
    definitions,
    spending,
    preflight,
    problems,
    programs,
    steward,
    worker,
    code,
    deaths,
    gatherFor,
    ...(options.onEpisodeEnd !== undefined && { onEpisodeEnd: options.onEpisodeEnd }),
    ...(observer !== undefined && { observer }),
    ...(options.onAnswer !== undefined && { onAnswer: options.onAnswer }),
  })
  const deadTimes: DeadWorkerTimes = { found: new Map(), settled: new Map() }
  const presence = new Presence({ world, store, runner, worker, lookEvery, onError })
  return {
    runs: openRuns({
      world,
      store,
      definitions,
      planner,
      programs,
      onError,
      ...(options.storageProblem && { storageProblem: options.storageProblem }),
    }),
    runner,
    worker: new Worker({
      world,
      store,
      definitions,
      runner,
      steward,
      presence,
      capacity,
      duties,
      hasPeers,
      onAlone,
      onError,
      ...(options.hiddenFor !== undefined && { hiddenFor: options.hiddenFor }),
      ...(options.mayTake !== undefined && { mayTake: options.mayTake }),
    }),
    presence,
    bury: (message) => buryEpisode({ world, store, definitions, steward }, message),
    blame: (message, death) => blameEpisode({ world, store, definitions, steward }, message, death),
    deriveEnd: (episode) => deriveEnd({ world, store, definitions, programs }, episode),
    note: (message, error) => noteFailure({ world }, message, error),
    async sweep({ lostAfter }) {
      await presence.stayAlive()
      await sweep({ world, store, definitions, steward, reconcile, self: worker, deadTimes, lostAfter })
    },
  }
}
