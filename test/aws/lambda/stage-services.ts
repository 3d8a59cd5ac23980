import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StageMeters } from './stage-meters.ts'

export interface StageServices {
  /** Where the SDK finds Lambda and CloudWatch. */
  address: string
  close(): Promise<void>
}

interface MetricQuery {
  Id: string
  MetricStat: { Metric: { Namespace: string; MetricName: string; Dimensions: { Value: string }[] } }
}

/** The parts of a metric's name that are not a function's, by its namespace. */
const parts: Record<string, string> = {
  'AWS/DynamoDB': 'dynamodb',
  'AWS/SQS': 'sqs',
  'AWS/S3': 's3',
  'AWS/ApiGateway': 'api',
}

/**
 * As much of Lambda and CloudWatch as a stage's functions and its operator ask for: invoking a function, its memory, and sums
 * of metrics. A metric has all of its sum at this moment, whatever the time that is asked for; of several queues the first has
 * that of all.
 */
export async function openStageServices(needs: {
  invoke: (name: string, event: unknown) => Promise<unknown>
  /** Megabytes of each function. */
  memory: number
  meters: StageMeters
}): Promise<StageServices> {
  function metricData({ MetricDataQueries }: { MetricDataQueries: MetricQuery[] }): object {
    const counted = new Set<string>()
    return {
      MetricDataResults: MetricDataQueries.map(({ Id, MetricStat: { Metric } }) => {
        const name = Metric.Dimensions[0]?.Value ?? ''
        const part = parts[Metric.Namespace] ?? name
        const meter = `${Metric.MetricName} ${part}` as const
        const sum = counted.has(meter) ? undefined : needs.meters.sum(meter)
        counted.add(meter)
        const hasSum = sum !== undefined
        return {
          Id,
          StatusCode: 'Complete',
          Timestamps: hasSum ? [Math.floor(Date.now() / 60_000) * 60] : [],
          Values: hasSum ? [sum] : [],
        }
      }),
    }
  }

  async function answer(path: string, body: string): Promise<object> {
    const [, name = '', what] = /functions\/([^/]+)\/(invocations|configuration)/.exec(path) ?? []
    if (what === 'configuration') return { FunctionName: name, MemorySize: needs.memory }
    if (what === 'invocations') return (await needs.invoke(name, JSON.parse(body))) as object
    return metricData(JSON.parse(body))
  }

  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    try {
      const answered = await answer(incoming.url ?? '/', Buffer.concat(chunks).toString())
      outgoing.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answered))
    } catch (error) {
      outgoing
        .writeHead(200, { 'x-amz-function-error': 'Unhandled' })
        .end(JSON.stringify({ errorMessage: String(error) }))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
