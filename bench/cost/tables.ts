import { recordedCounts } from '../aws/counts.ts'
import { workerTables } from '../aws/worker-tables.ts'
import { assumptionTable, priceTable } from './assumption-tables.ts'
import { assumptions } from './assumptions.ts'
import { type Cost, costOf, storageOf, taskHour } from './cost-of.ts'
import { operationsOfRun, type RunSettings, usualRun } from './cost-of-run.ts'
import type { CountedDataset } from './count-dataset.ts'
import { dollars } from './dollars.ts'
import { floodTable } from './flood.ts'
import { declared, type IdleLine, idleCost } from './idle.ts'
import type { Table } from './markdown-tables.ts'
import { kinds, type Measured } from './measure.ts'
import { nothing, type Operations, sum, times } from './operations.ts'
import { prices } from './prices.ts'

const { builder, logs } = assumptions
const wholes = 2

export function tables(measured: Measured): Record<string, Table> {
  return {
    runs: runTable(measured),
    counts: countTable(measured),
    variations: variationTable(measured),
    datasets: datasetTable(measured),
    idle: idleTable(measured),
    hours: hourTable(),
    flood: floodTable(),
    assumptions: assumptionTable(),
    prices: priceTable(),
    ...workerTables(recordedCounts),
  }
}

const parts: [keyof Cost, string][] = [
  ['lambda', 'Lambda'],
  ['s3', 'S3 requests'],
  ['dynamodb', 'DynamoDB requests'],
  ['sqs', 'SQS'],
  ['api', 'API'],
  ['watching', 'Logs and traces'],
  ['total', '**Total**'],
]

function runTable(measured: Measured): Table {
  const costs = kinds.map((kind) => {
    const { operations } = operationsOfRun(measured.kinds[kind].counted, usualRun)
    return { cost: costOf(operations), storage: storageOf(operations) }
  })
  return [
    ['1,000 episodes', ...kinds],
    ...parts.map(([part, title]) => [title, ...costs.map(({ cost }) => dollars(cost[part]))]),
    ['Keeping them, a month', ...costs.map(({ storage }) => dollars(storage))],
  ]
}

function countTable(measured: Measured): Table {
  const rows: [string, (kind: (typeof kinds)[number]) => number][] = [
    ['Model calls', (kind) => measured.kinds[kind].played.calls / measured.kinds[kind].played.episodes],
    [
      'Waves: calls one after the other',
      (kind) =>
        mean(measured.kinds[kind].counted.waves.map((waves) => waves.filter((calls) => calls > 0).length)),
    ],
    ...[
      ['S3: segments of the journal', 'put segment'],
      ['S3: segments joined', 'put join'],
      ['S3: reads', /^get /],
      ['S3: tree, trajectory and result', /^put (tree|trajectory|result)/],
      ['DynamoDB: writes for money', /^change (reservations|spending|leases|tenants|holdings)$/],
      ['DynamoDB: writes for the run and its events', /^change (run|events)$/],
      ['DynamoDB: writes for the episode', /^change (episodes|active)$/],
      ['DynamoDB: reads', /^read /],
    ].map(([title, purpose]): [string, (kind: (typeof kinds)[number]) => number] => [
      title as string,
      (kind) => countOf(measured, kind, purpose as string | RegExp),
    ]),
    ['Bytes kept in S3', (kind) => measured.kinds[kind].counted.episode.s3_bytes],
    ['Seconds', (kind) => secondsOf(measured, kind)],
  ]
  return [
    ['An episode, on average', ...kinds],
    ...rows.map(([title, count]) => [title, ...kinds.map((kind) => amount(count(kind)))]),
  ]
}

function countOf(measured: Measured, kind: (typeof kinds)[number], purpose: string | RegExp): number {
  const { purposes, episodes } = measured.kinds[kind].played
  const counts = [...purposes].filter(([name]) =>
    typeof purpose === 'string' ? name === purpose : purpose.test(name),
  )
  return counts.reduce((all, [, count]) => all + count, 0) / episodes
}

function secondsOf(measured: Measured, kind: (typeof kinds)[number]): number {
  const alone = { ...usualRun, parallel: 1, batch: 1 }
  const { invocations } = operationsOfRun(measured.kinds[kind].counted, alone)
  return mean(invocations.map(({ seconds }) => seconds - assumptions.worker.overhead))
}

const variations: [string, Partial<RunSettings>][] = [
  ['As above', {}],
  ['The model answers in 1 s', { latency: 1 }],
  ['… in 5 s', { latency: 5 }],
  ['`max_parallel` 8', { parallel: 8 }],
  ['… 32', { parallel: 32 }],
  ['… 1000', { parallel: 1000 }],
  ['Batches of 5', { batch: 5 }],
  ['… of 1', { batch: 1 }],
  ['512 MB', { memory: 512 }],
]

const independent = ['react', 'mcts'] as const

function variationTable(measured: Measured): Table {
  return [
    ['1,000 episodes', ...independent, ...independent.map((kind) => `${kind}, minutes`)],
    ...variations.map(([title, changed]) => {
      const runs = independent.map((kind) =>
        operationsOfRun(measured.kinds[kind].counted, { ...usualRun, ...changed }),
      )
      return [
        title,
        ...runs.map(({ operations }) => dollars(costOf(operations).total)),
        ...runs.map(({ seconds }) => amount(seconds / 60)),
      ]
    }),
  ]
}

function datasetTable({ dataset }: Measured): Table {
  const costs = [1000, 10_000, 100_000].map((episodes) => costOf(operationsOfDataset(dataset, episodes)))
  return [
    ['A dataset', 'of 1,000 episodes', '10,000', '100,000'],
    ...parts
      .filter(([part]) => part !== 'api')
      .map(([part, title]) => [title, ...costs.map((cost) => dollars(cost[part]))]),
  ]
}

function idleTable({ idle }: Measured): Table {
  const lines = idleCost(declared, idle)
  return [
    ['Idle, a month', 'list price', 'with the always-free allowances'],
    ...lines.map(({ what, list, allowed }) => [what, dollars(list), dollars(allowed)]),
    totalOf('**Total**', lines),
    ...lines.flatMap(({ without }, index) =>
      without === null ? [] : [totalOf(`… without ${without}`, lines.toSpliced(index, 1))],
    ),
    totalOf(
      '… without either',
      lines.filter(({ without }) => without === null),
    ),
  ]
}

function totalOf(title: string, lines: IdleLine[]): string[] {
  const sum = (of: 'list' | 'allowed') => lines.reduce((all, line) => all + line[of], 0)
  return [title, dollars(sum('list')), dollars(sum('allowed'))]
}

function hourTable(): Table {
  const following = (assumptions.api.memory / 1024) * prices.lambda.gb_second
  const taskRows = (what: string, task: { cpu: number; memory: number }): string[][] => [
    [`${what}, Spot (usual)`, dollars(taskHour(task, 'spot'))],
    [`${what}, on demand`, dollars(taskHour(task, 'on demand'))],
  ]
  return [
    ['By the hour', 'price'],
    ...taskRows('A host', assumptions.host),
    ...taskRows('A desktop', assumptions.desktop),
    ['Following a run by its events', dollars(following * 3600)],
  ]
}

function mean(numbers: number[]): number {
  return numbers.reduce((all, number) => all + number, 0) / numbers.length
}

function amount(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US')
  return value.toFixed(value < 100 ? 1 : 0)
}

function operationsOfDataset({ once, episode }: CountedDataset, episodes: number): Operations {
  const pieces = wholes + Math.ceil(episodes / builder.part)
  const seconds = (episodes * builder.episode) / builder.atOnce + pieces * builder.overhead
  return {
    ...sum(once, times(episode, episodes), {
      lambda_requests: pieces,
      lambda_gb_seconds: (seconds * builder.memory) / 1024,
      log_bytes: pieces * logs.invocation,
      traces: pieces,
    }),
    queue_requests: 3 * pieces,
    s3_bytes: nothing.s3_bytes,
    ledger_bytes: nothing.ledger_bytes,
  }
}
