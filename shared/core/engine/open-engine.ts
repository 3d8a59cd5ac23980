import { randomBytes } from 'node:crypto'
import type { WorkerMachine } from '../contracts/machine.ts'
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
import type { WorkerLogs } from './log/worker-logs.ts'
import type { Placement } from './placement/placement.ts'
import { Preflight, type Probes } from './preflight/preflight.ts'
import { ProblemBook } from './preflight/problem-book.ts'
import { Presence } from './presence.ts'
import { openRuns } from './runs/open-runs.ts'
import { RunDefinitions } from './runs/run-definition.ts'
import type { RunPlanner } from './runs/run-planner.ts'
import { RunStore } from './runs/run-store.ts'
import type { TenantRuns } from './runs/runs.ts'
import type { ReconcileCall } from './spending/settle-block.ts'
import { Spending } from './spending/spending.ts'
import { sweep } from './sweep.ts'
import { allDuties, Worker, type WorkerOptions } from './worker.ts'
import type { DeadWorkerTimes } from './workers.ts'

export interface EngineOptions {
  world: World
  planner: RunPlanner
  programs: EpisodePrograms
  reconcile: ReconcileCall
  /**
   * The present problem of the service's storage. It appears as `last_problem` of every run that has not ended.
   * @default none
   */
  storageProblem?: () => LastProblem | null
  probes?: Probes
  probeDelays?: readonly number[]
  code: string
  worker?: string
  callsAtOnce?: number
  /** Selects the counter of the workers that died of an episode they played alone. @default 'inferred' */
  deaths?: DeathCounting
  /** Milliseconds that results may wait for others in flight, to share a segment of the journal. @default 0 */
  gatherFor?: number
  /** The logs in which its episodes share objects, only for workers that last. @default each segment is an object */
  logs?: WorkerLogs
  /** Milliseconds between checks for a pause, a cancellation or other caps. @default 1000 */
  lookEvery?: number
  /** Counts the ends of a run and queues its next episodes elsewhere. @default this process does, in turn with others */
  tend?: (run: string) => Promise<void>
  onEpisodeEnd?: NonNullable<RunnerOptions['onEpisodeEnd']>
  onAnswer?: NonNullable<RunnerOptions['onAnswer']>
  observer?: EpisodeObserver
  capacity?: number
  /** The duties of {@link Engine.worker}. @default everything: it is the only worker, or one of several alike */
  duties?: WorkerOptions['duties']
  hasPeers?: boolean
  hiddenFor?: number
  mayTake?: () => boolean
  onAlone?: WorkerOptions['onAlone']
  machine?: WorkerMachine
  placement?: Pick<Placement, 'playable' | 'noteWaits'>
  onError: (error: unknown, what: string) => void
}

export interface Engine {
  readonly runs: TenantRuns
  readonly runner: EpisodeRunner
  readonly worker: Worker
  /** For an entry point that receives its messages: begin and end presence around {@link runner}. */
  readonly presence: Presence
  bury(message: EpisodeMessage): Promise<boolean>
  blame(message: EpisodeMessage, death: WorkerDeath): Promise<boolean>
  deriveEnd(episode: { run: string; episode: string }): Promise<string[]>
  note(message: EpisodeMessage, error: unknown): Promise<void>
  tend(run: string): Promise<void>
  sweep(options: { lostAfter: number }): Promise<void>
}

/**
 * Assembles the engine over a world. Nothing is played before `worker.start()`.
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
  const { tend } = options
  const steward = tend ? { tend } : new Steward({ world, store, definitions, worker })
  const spending = new Spending({ world, store, worker, callsAtOnce, onWait: () => taking.look() })
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
    ...(options.logs !== undefined && { logs: options.logs }),
    ...(options.onEpisodeEnd !== undefined && { onEpisodeEnd: options.onEpisodeEnd }),
    ...(observer !== undefined && { observer }),
    ...(options.onAnswer !== undefined && { onAnswer: options.onAnswer }),
  })
  const deadTimes: DeadWorkerTimes = { found: new Map(), settled: new Map() }
  const { machine, placement } = options
  const presence = new Presence({
    ...{ world, store, runner, worker, lookEvery, onError },
    ...(machine && { machine }),
    ...(duties.includes('episodes') && { code }),
  })
  const taking = new Worker({
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
    waiting: () => spending.turns.waiting,
    ...(options.hiddenFor !== undefined && { hiddenFor: options.hiddenFor }),
    ...(options.mayTake !== undefined && { mayTake: options.mayTake }),
    ...(placement && machine && { playable: () => placement.playable(machine) }),
  })
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
    worker: taking,
    presence,
    bury: (message) => buryEpisode({ world, store, definitions, steward }, message),
    blame: (message, death) => blameEpisode({ world, store, definitions, steward }, message, death),
    deriveEnd: (episode) => deriveEnd({ world, store, definitions, programs }, episode),
    async note(message, error) {
      await noteFailure({ world }, message, error)
      await runner.releaseAgain(message)
    },
    tend: (run) => steward.tend(run),
    async sweep({ lostAfter }) {
      await presence.stayAlive()
      await sweep({ world, store, definitions, steward, reconcile, self: worker, deadTimes, lostAfter })
      await placement?.noteWaits()
    },
  }
}
