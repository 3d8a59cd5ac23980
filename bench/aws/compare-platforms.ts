import { assumptions } from '../cost/assumptions.ts'
import { type Cost, costOf, taskHour } from '../cost/cost-of.ts'
import { apiOfRun, inTime } from '../cost/cost-of-run.ts'
import { nothing, type Operations, sum, times } from '../cost/operations.ts'
import type { SimulatedKind, StageCounts } from './counts.ts'
import { simulateLambda } from './simulate-lambda.ts'
import { simulateWorkers } from './simulate-workers.ts'
import { drawTimelines, type Timeline } from './timelines.ts'

export interface PlatformRun {
  platform: 'lambda' | 'workers'
  kind: SimulatedKind
  episodes: number
  latency: number
  processes: number
  hours: number
  hops: number
  lostCalls: number
  operations: Operations
  compute: number
  cost: Cost
  total: number
  seconds: number
}

/**
 * A batching window in seconds (default 0), messages per invocation (default: those of a stage), and the mean write
 * units of an episode's end besides the counted ones (default: as for `docs/cost.md`).
 */
export interface Comparison {
  kind: SimulatedKind
  episodes: number
  latency: number
  parallel: number
  maxWorkers: number
  window?: number
  batch?: number
  endWrites?: number
}

const { races, worker } = assumptions

export function comparePlatforms(counts: StageCounts, comparison: Comparison): [PlatformRun, PlatformRun] {
  return [onLambda(counts, comparison), onWorkers(counts, comparison)]
}

export function onLambda(counts: StageCounts, comparison: Comparison): PlatformRun {
  const { batch = worker.batch, episodes, kind, latency, parallel, window = 0 } = comparison
  const counted = counts.lambda[kind]
  const timelines = drawTimelines(counted.waves, latency, worker.gather)
  const concurrency = Math.ceil(parallel / worker.batch)
  const run = simulateLambda({ episodes, parallel, timelines }, { batch, concurrency, window })
  const invocations = run.invocations.length
  const mean = { seconds: run.busy / invocations, episodes: (episodes + run.hops) / invocations }
  const operations = sum(
    // One of eight segments completes a join, which reads all of them.
    ofEpisodes(counted.episode, comparison, timelines, { s3_writes: 1 + 1 / 8, s3_reads: 1 }),
    times(counts.invocation, invocations),
    times(inTime({ ...mean, start: 0 }, worker.memory), invocations),
    times(assumptions.stage.hop, run.hops),
  )
  const cost = costOf(operations)
  return {
    platform: 'lambda',
    kind,
    episodes,
    latency,
    processes: invocations,
    hours: run.busy / 3600,
    hops: run.hops,
    lostCalls: run.lost,
    operations,
    cost,
    seconds: run.seconds,
    compute: cost.lambda,
    total: cost.total,
  }
}

export function onWorkers(counts: StageCounts, comparison: Comparison): PlatformRun {
  const { episodes, kind, latency, maxWorkers, parallel } = comparison
  const timelines = drawTimelines(counts.lambda[kind].waves, latency, assumptions.stage.worker.gather)
  const run = simulateWorkers({ episodes, parallel, timelines }, maxWorkers)
  const { copied, group, hiding, leaving, polls, requests } = assumptions.stage.worker
  const operations = sum(
    ofEpisodes(counts.workers[kind], comparison, timelines, { s3_writes: 1 / copied, s3_reads: 1 / copied }),
    times(counts.invocation, run.tasks),
    times(assumptions.stage.hop, run.hops),
    times(leaving, run.hops),
    {
      s3_writes: Math.min(run.busy / group, episodes * meanOf(timelines, ({ segments }) => segments)),
      queue_requests: requests * (episodes + run.hops) + (polls * run.busy) / 60 + run.played / hiding,
      ledger_writes: run.busy / worker.heartbeat,
      ledger_reads: (2 * run.busy) / worker.look,
      log_bytes: episodes * assumptions.logs.episode + (run.busy / 60) * 300,
    },
  )
  const cost = costOf(operations)
  const compute = (run.busy / 3600) * taskHour(assumptions.stage.worker, 'spot')
  return {
    platform: 'workers',
    kind,
    episodes,
    latency,
    processes: run.tasks,
    hours: run.busy / 3600,
    hops: run.hops,
    lostCalls: run.lost,
    operations,
    cost,
    seconds: run.seconds,
    compute,
    total: cost.total + compute,
  }
}

function ofEpisodes(
  episode: Operations,
  { episodes, endWrites = races.tries * races.writes }: Comparison,
  timelines: readonly Timeline[],
  late: Partial<Operations>,
): Operations {
  const each = Math.max(
    0,
    meanOf(timelines, ({ segments, waves }) => segments - waves.length),
  )
  return sum(
    times(episode, episodes),
    times(late, each * episodes),
    times({ ...nothing, ledger_writes: endWrites, ledger_reads: races.tries * races.reads }, episodes),
    times(apiOfRun, episodes / 1000),
  )
}

function meanOf(timelines: readonly Timeline[], of: (timeline: Timeline) => number): number {
  return timelines.reduce((all, one) => all + of(one), 0) / timelines.length
}
