import { assumptions } from '../cost/assumptions.ts'
import { storageOf, taskHour } from '../cost/cost-of.ts'
import { dollars } from '../cost/dollars.ts'
import type { Table } from '../cost/markdown-tables.ts'
import { prices } from '../cost/prices.ts'
import { comparePlatforms, onWorkers, type PlatformRun } from './compare-platforms.ts'
import type { SimulatedKind, StageCounts } from './counts.ts'
import { largeRuns, latencies, type SimulatedLargeRun, simulateLargeRun } from './large-runs.ts'

const kinds: readonly SimulatedKind[] = ['react', 'mcts']
const size = { episodes: 1000, parallel: 500, maxWorkers: 1 }

export function workerTables(counts: StageCounts): Record<string, Table> {
  return {
    'slow-models': slowModelTable(counts),
    'large-runs': largeRunTable(counts),
    million: millionTable(counts),
    'worker-assumptions': assumptionTable(),
  }
}

function slowModelTable(counts: StageCounts): Table {
  const rows = kinds.flatMap((kind) =>
    latencies.map((latency) => ({
      kind,
      latency,
      runs: comparePlatforms(counts, { kind, latency, ...size }),
    })),
  )
  return [
    [
      '1,000 episodes',
      'Lambda: its time',
      'in all',
      'Workers: their time',
      'in all',
      'Lambda, hours',
      'Workers, hours',
    ],
    ...rows.map(({ kind, latency, runs: [lambda, workers] }) => [
      `${kind}, ${latency} s`,
      dollars(lambda.compute),
      dollars(lambda.total),
      dollars(workers.compute),
      dollars(workers.total),
      hours(lambda),
      hours(workers),
    ]),
  ]
}

function largeRunTable(counts: StageCounts): Table {
  const rows = largeRuns.flatMap((run) =>
    simulateLargeRun(counts, run).map((played) => [
      `${run.episodes.toLocaleString('en-US')} at ${run.latency} s: ${played.platform === 'lambda' ? 'Lambda' : 'workers'}`,
      ...figuresOf(played),
    ]),
  )
  return [
    [
      'Episodes of mcts',
      'Invocations, tasks',
      'Hops',
      'Calls lost',
      'PUTs to S3',
      'Units written',
      'Refused transactions',
      'Cost',
      'Hours',
    ],
    ...rows,
  ]
}

function millionTable(counts: StageCounts): Table {
  const million = {
    kind: 'mcts',
    episodes: 1_000_000,
    parallel: 50_000,
    maxWorkers: 100,
    latency: 20,
  } as const
  const run = onWorkers(counts, million)
  const { lostCalls, operations, processes, total } = run
  const whole = (count: number) => Math.round(count).toLocaleString('en-US')
  return [
    ['A million episodes of mcts at 20 s, by workers', ''],
    ['Cost', `$${total.toFixed(2)}`],
    ['Hours', hours(run)],
    ['Tasks', whole(processes)],
    ['Calls lost', whole(lostCalls)],
    ['Objects in S3, at most', whole(operations.s3_writes)],
    ['GB in S3', whole(operations.s3_bytes / 1e9)],
    ['Keeping them, a month', `$${storageOf(operations).toFixed(2)}`],
  ]
}

function figuresOf(run: SimulatedLargeRun): string[] {
  const { conflicts, hops, lostCalls, operations, processes, total } = run
  const whole = [processes, hops, lostCalls, operations.s3_writes, operations.ledger_writes, conflicts]
  return [
    ...whole.map((count) => Math.round(count).toLocaleString('en-US')),
    `$${total.toFixed(2)}`,
    hours(run),
  ]
}

/**
 * Seconds of an answer above which waiting with Lambda costs more than a worker that starts for it and lingers 15
 * minutes. The default parallelism is a run's; `calls` are sequential.
 */
export function breakEven(calls: number): number {
  const { batch, memory } = assumptions.worker
  const episodeSecond = ((memory / 1024) * prices.lambda.gb_second) / batch
  const worker =
    (taskHour(assumptions.stage.worker, 'spot') *
      (assumptions.stage.worker.start + assumptions.stage.worker.linger)) /
    3600
  return worker / (episodeSecond * 64 * calls)
}

function assumptionTable(): Table {
  const { hop, lambda, worker } = assumptions.stage
  const { leastShare } = assumptions.latency
  const rows: [string, number][] = [
    ["A model's answer at least, as a share of the mean (the rest is exponentially distributed)", leastShare],
    ['Seconds from sending a message until it is taken', assumptions.stage.delivery],
    ['Seconds of an invocation until its episodes stop asking', lambda.stop],
    ['… until calls without an answer are cut off', lambda.cut],
    ['For each hop: PUT requests', hop.s3_writes],
    ['… GET requests', hop.s3_reads],
    ['… write units', hop.ledger_writes],
    ['… read units', hop.ledger_reads],
    ['vCPUs of a worker', worker.cpu],
    ['GB of a worker', worker.memory],
    ['Episodes in flight in a worker, at most', worker.places],
    ['Seconds that its answers wait for others', worker.gather],
    ['Seconds between objects of its log', worker.group],
    ['Segments copied out of it at once', worker.copied],
    ['More for each hop, out of one log and into another: PUT requests', worker.leaving.s3_writes],
    ['… GET requests', worker.leaving.s3_reads],
    ['Seconds between looks of the alarm', worker.alarm],
    ['Seconds until a task takes its first message', worker.start],
    ['Seconds without need until it goes', worker.linger],
    ['Seconds in which none plays until workers start on demand', worker.stalled],
    ['Seconds of its processor for a call', worker.call],
    ['… for a segment', worker.segment],
    ['… in use at most, as a share', worker.busy],
    ['Hours after which Spot takes a task back, on average', worker.interruption],
    ['Seconds from its notice until calls are cut off', worker.notice],
    ['Requests to SQS for an episode', worker.requests],
    ['Polls of a worker in a minute', worker.polls],
    ['Seconds between two hidings of a message', worker.hiding],
  ]
  return [
    ['Taken for granted of slow models', 'value'],
    ...rows.map(([what, value]) => [what, String(value)]),
  ]
}

function hours({ seconds }: PlatformRun): string {
  return (seconds / 3600).toFixed(1)
}
