import { runRequestSchema } from '../../shared/core/contracts/run.ts'
import { type Invocation, simulateLambda } from '../aws/simulate-lambda.ts'
import { drawTimelines, type Timeline } from '../aws/timelines.ts'
import { assumptions } from './assumptions.ts'
import type { CountedEpisodes } from './count-episodes.ts'
import { nothing, type Operations, sum, times } from './operations.ts'

export interface RunSettings {
  episodes: number
  parallel: number
  batch: number
  concurrency: number
  memory: number
  latency: number
}

export interface RunOperations {
  operations: Operations
  invocations: Invocation[]
  seconds: number
}

const { worker } = assumptions

export const usualRun: RunSettings = {
  episodes: 1000,
  parallel: runRequestSchema.shape.max_parallel.parse(undefined),
  batch: worker.batch,
  concurrency: worker.concurrency,
  memory: worker.memory,
  latency: assumptions.latency.mean,
}

export function operationsOfRun(counted: Counted, settings: RunSettings): RunOperations {
  const { batch, concurrency, episodes, latency, memory, parallel } = settings
  const timelines = drawTimelines(counted.waves, latency, worker.gather)
  const { hops, invocations } = simulateLambda(
    { episodes, parallel, timelines },
    { batch, concurrency, window: 0 },
  )
  const played = Array.from(
    { length: episodes },
    (_, index) => timelines[index % timelines.length] as Timeline,
  )
  const late = played.reduce((all, { segments, waves }) => all + segments - waves.length, 0)
  const operations = sum(
    times(counted.episode, episodes),
    times(counted.invocation, invocations.length),
    // One of eight segments completes a join, which reads all of them.
    { s3_writes: late * (1 + 1 / 8), s3_reads: late },
    times(racing, episodes),
    times(assumptions.stage.hop, hops),
    ...invocations.map((invocation) => inTime(invocation, memory)),
    apiOfRun,
  )
  return {
    operations,
    invocations,
    seconds: Math.max(...invocations.map(({ start, seconds }) => start + seconds)),
  }
}

export interface Counted {
  episode: Operations
  invocation: Operations
  waves: number[][]
}

export function perInvocation(inBatches: CountedEpisodes, alone: CountedEpisodes): Operations {
  const share = inBatches.waves.length / inBatches.episodes
  const more = sum(
    times(alone.operations, 1 / alone.episodes),
    times(inBatches.operations, -1 / inBatches.episodes),
  )
  return withoutStorage(times(more, 1 / (1 - share)))
}

export function toCounted(inBatches: CountedEpisodes, invocation: Operations): Counted {
  const { episodes, operations, waves } = inBatches
  const episode = sum(times(operations, 1 / episodes), times(invocation, -waves.length / episodes))
  return { episode: { ...episode, queue_requests: 0 }, invocation, waves: waves.flat() }
}

function withoutStorage(operations: Operations): Operations {
  return { ...operations, s3_bytes: 0, ledger_bytes: 0, queue_requests: 0 }
}

const racing: Operations = {
  ...nothing,
  ledger_writes: assumptions.races.tries * assumptions.races.writes,
  ledger_reads: assumptions.races.tries * assumptions.races.reads,
}

export function inTime({ seconds, episodes }: Invocation, memory: number): Partial<Operations> {
  return {
    // Its messages are sent together, with a move of the run's cursor. Then they are received and deleted together.
    queue_requests: 3,
    ledger_writes: 1 + Math.floor(seconds / worker.heartbeat),
    ledger_reads: 1 + 2 * Math.floor(seconds / worker.look),
    lambda_requests: 1,
    lambda_gb_seconds: (seconds * memory) / 1024,
    log_bytes: assumptions.logs.invocation + episodes * assumptions.logs.episode,
    traces: 1,
  }
}

const { requests, seconds, memory } = assumptions.api
export const apiOfRun: Partial<Operations> = {
  api_requests: requests,
  ledger_reads: requests * assumptions.api.reads,
  lambda_requests: requests,
  lambda_gb_seconds: (requests * seconds * memory) / 1024,
  log_bytes: requests * assumptions.logs.invocation,
  traces: requests,
}
