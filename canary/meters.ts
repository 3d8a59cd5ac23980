import { CloudWatchClient, GetMetricDataCommand, type MetricDataQuery } from '@aws-sdk/client-cloudwatch'
import { GetFunctionConfigurationCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { awsCall, nameOf } from '../shared/core/world/aws/aws-error.ts'
import type { CanaryStage } from './stage.ts'

const functions = [
  'advance-episodes',
  'api',
  'authorizer',
  'build-dataset',
  'call-host',
  'dead-letters',
  'put-pages',
  'scale-hosts',
  'sweep',
] as const

type FunctionName = (typeof functions)[number]

/** A stage's use between two times, by the counts that AWS bills. Null: CloudWatch has no count of it. */
export interface StageMeasures {
  functions: { name: FunctionName; invocations: number; gbSeconds: number }[]
  dynamodb: { reads: number | null; writes: number | null; conflicts: number; throttles: number }
  /** Messages and empty receives: CloudWatch does not count requests, which carry up to ten messages each. */
  sqs: { sent: number; received: number; deleted: number; empty: number }
  /** Null if the bucket has no metrics configuration for the whole of it. */
  s3: { writes: number; reads: number } | null
  api: { requests: number | null }
}

interface Meter {
  namespace: string
  metric: string
  dimensions: Record<string, string>
}

/**
 * Reads the meters of a whole stage, including use by others in that time.
 * @param from milliseconds since the epoch; sums begin with its minute
 * @throws EspalierError `storage_failed` if AWS is unreachable
 */
export async function readMeters(stage: CanaryStage, from: number): Promise<StageMeasures> {
  const cloudwatch = new CloudWatchClient()
  const lambda = new LambdaClient()
  const call = {
    doing: `read the meters of the stage ${stage.name}`,
    resource: 'CloudWatch and Lambda',
    setting: '--stage',
  }
  try {
    return await awsCall(call, async () => {
      const sums = await sumsOf(cloudwatch, metersOf(stage), from)
      const memories = await Promise.all(functions.map((name) => memoryOf(lambda, functionName(stage, name))))
      return measuresFrom(sums, memories)
    })
  } finally {
    cloudwatch.destroy()
    lambda.destroy()
  }
}

function functionName(stage: CanaryStage, name: FunctionName): string {
  return `espalier-${stage.name}-${name}`
}

async function memoryOf(client: LambdaClient, name: string): Promise<number> {
  try {
    const { MemorySize = 0 } = await client.send(new GetFunctionConfigurationCommand({ FunctionName: name }))
    return MemorySize
  } catch (error) {
    if (nameOf(error) === 'ResourceNotFoundException') return 0
    throw error
  }
}

function metersOf(stage: CanaryStage): Map<string, Meter> {
  const meters = new Map<string, Meter>()
  const add = (key: string, namespace: string, metric: string, dimensions: Record<string, string>) =>
    meters.set(key, { namespace, metric, dimensions })
  for (const name of functions) {
    const dimensions = { FunctionName: functionName(stage, name) }
    add(`invocations ${name}`, 'AWS/Lambda', 'Invocations', dimensions)
    add(`milliseconds ${name}`, 'AWS/Lambda', 'Duration', dimensions)
  }
  const table = { TableName: stage.table }
  add('reads', 'AWS/DynamoDB', 'ConsumedReadCapacityUnits', table)
  add('writes', 'AWS/DynamoDB', 'ConsumedWriteCapacityUnits', table)
  add('conflicts', 'AWS/DynamoDB', 'TransactionConflict', table)
  for (const kind of ['Read', 'Write'])
    add(`throttles ${kind}`, 'AWS/DynamoDB', `${kind}ThrottleEvents`, table)
  const urls = [stage.queues, stage.dead_letters].flatMap((addresses) => Object.values(addresses))
  for (const url of urls) {
    const queue = { QueueName: url?.split('/').at(-1) ?? '' }
    add(`sent ${url}`, 'AWS/SQS', 'NumberOfMessagesSent', queue)
    add(`received ${url}`, 'AWS/SQS', 'NumberOfMessagesReceived', queue)
    add(`deleted ${url}`, 'AWS/SQS', 'NumberOfMessagesDeleted', queue)
    add(`empty ${url}`, 'AWS/SQS', 'NumberOfEmptyReceives', queue)
  }
  const bucket = { BucketName: stage.bucket, FilterId: 'EntireBucket' }
  for (const kind of ['Put', 'Post', 'List', 'Get', 'Head'])
    add(`s3 ${kind}`, 'AWS/S3', `${kind}Requests`, bucket)
  const [apiId = ''] = new URL(stage.api).hostname.split('.')
  add('api', 'AWS/ApiGateway', 'Count', { ApiId: apiId })
  return meters
}

interface Sums {
  of(key: string): number | null
  under(prefix: string): number
}

async function sumsOf(client: CloudWatchClient, meters: Map<string, Meter>, from: number): Promise<Sums> {
  const keys = [...meters.keys()]
  const minute = 60_000
  const queries: MetricDataQuery[] = [...meters.values()].map(({ namespace, metric, dimensions }, index) => ({
    Id: `m${index}`,
    MetricStat: {
      Metric: {
        Namespace: namespace,
        MetricName: metric,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: 60,
      Stat: 'Sum',
    },
  }))
  const sums = new Map<string, number>()
  let NextToken: string | undefined
  do {
    const page = await client.send(
      new GetMetricDataCommand({
        MetricDataQueries: queries,
        StartTime: new Date(Math.floor(from / minute) * minute),
        EndTime: new Date(Math.ceil(Date.now() / minute) * minute),
        NextToken,
      }),
    )
    for (const { Id = '', Values = [] } of page.MetricDataResults ?? []) {
      const key = keys[Number(Id.slice(1))]
      if (key === undefined || Values.length === 0) continue
      sums.set(
        key,
        Values.reduce((sum, value) => sum + value, sums.get(key) ?? 0),
      )
    }
    NextToken = page.NextToken
  } while (NextToken !== undefined)
  return {
    of: (key) => sums.get(key) ?? null,
    under: (prefix) =>
      [...sums].reduce((total, [key, value]) => (key.startsWith(prefix) ? total + value : total), 0),
  }
}

function measuresFrom(sums: Sums, memories: number[]): StageMeasures {
  const s3 = ['Put', 'Post', 'List', 'Get', 'Head'].map((kind) => sums.of(`s3 ${kind}`))
  const [put = null, post = null, list = null, get = null, head = null] = s3
  const total = (...counts: (number | null)[]) => counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
  return {
    functions: functions.map((name, index) => ({
      name,
      invocations: total(sums.of(`invocations ${name}`)),
      gbSeconds: (total(sums.of(`milliseconds ${name}`)) / 1000) * ((memories[index] ?? 0) / 1024),
    })),
    dynamodb: {
      reads: sums.of('reads'),
      writes: sums.of('writes'),
      conflicts: total(sums.of('conflicts')),
      throttles: sums.under('throttles '),
    },
    sqs: {
      sent: sums.under('sent '),
      received: sums.under('received '),
      deleted: sums.under('deleted '),
      empty: sums.under('empty '),
    },
    s3: s3.every((count) => count === null)
      ? null
      : { writes: total(put, post, list), reads: total(get, head) },
    api: { requests: sums.of('api') },
  }
}
