import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQSClient } from '@aws-sdk/client-sqs'
import type { QueueName, World } from '../../../shared/world/ports.ts'
import { openAwsTestWorld } from '../aws-test-world.ts'
import { pollEventSource } from './event-source.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { openGateway } from './gateway.ts'
import { LambdaPool } from './lambda-pool.ts'

export interface StageOptions {
  /** What `endpoints.json` says. */
  endpoints: object
  /** Asked for each request of a function to AWS: whether it is spoilt. */
  spoils: () => boolean
  /** Asked for each batch: whether its function is invoked twice with it, at once. */
  isTwice: () => boolean
  /** Whether it has long-lived workers, which the test starts. @default false */
  hasWorkers?: boolean
  /** Milliseconds that a function is said to have. */
  milliseconds: number
}

export interface Stage {
  /** The world without faults, for the test to look at. */
  world: World
  pool: LambdaPool
  /** The variables of its functions. */
  environment: NodeJS.ProcessEnv
  call: ReturnType<typeof openGateway>
  proxies: FaultProxy[]
  close(): Promise<void>
}

/** How many functions run at once. */
const most = 6
/** Seconds that a batch is invisible; in the stack it is longer than any invocation. */
const visibility = 20
const sweepEvery = 3000

/** The service as the stack deploys it: gateway, functions in processes of their own, event sources and schedules. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { dispose, lasting, options: resources, world } = await openAwsTestWorld()
  const folder = await mkdtemp(join(tmpdir(), 'espalier-stage-'))
  const endpointsFile = join(folder, 'endpoints.json')
  await writeFile(endpointsFile, JSON.stringify(options.endpoints))
  const proxies: FaultProxy[] = []
  async function throughFaults(service: 's3' | 'sqs' | 'dynamodb'): Promise<string> {
    const target = process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`]
    if (target === undefined) throw new Error(`The emulator of ${service} is not running.`)
    const proxy = await startFaultProxy(service, target, options.spoils)
    proxies.push(proxy)
    return proxy.address
  }
  const { queues } = resources
  const environment = {
    ...process.env,
    AWS_ENDPOINT_URL_S3: await throughFaults('s3'),
    AWS_ENDPOINT_URL_SQS: await throughFaults('sqs'),
    AWS_ENDPOINT_URL_DYNAMODB: await throughFaults('dynamodb'),
    ESPALIER_STAGE: 'test',
    ESPALIER_CODE: 'test',
    ESPALIER_TABLE: resources.table,
    ESPALIER_BUCKET: resources.bucket,
    ...Object.fromEntries(
      Object.entries(queues).flatMap(([name, { url, dead_letters }]) => [
        [`ESPALIER_QUEUE_${name.toUpperCase()}`, url],
        [`ESPALIER_DEAD_${name.toUpperCase()}`, dead_letters],
      ]),
    ),
    ESPALIER_ENDPOINTS: endpointsFile,
    // A message that the faults here lose is sent again within the minute.
    ESPALIER_LOST_AFTER: '60',
    POWERTOOLS_SERVICE_NAME: 'espalier',
    POWERTOOLS_METRICS_NAMESPACE: 'Espalier',
    ...(options.hasWorkers && { ESPALIER_QUEUE_LASTING: lasting }),
  }
  const pool = new LambdaPool({ most, milliseconds: options.milliseconds, environment })
  const closing = new AbortController()
  const { signal } = closing
  const client = new SQSClient({ useQueueUrlAsEndpoint: false })
  const feed = (name: string, url: string, batchSize: number) =>
    pollEventSource({ client, pool, name, url, batchSize, visibility, isTwice: options.isTwice, signal })
  const functions: Record<Exclude<QueueName, 'jobs'>, [name: string, batchSize: number]> = {
    episodes: ['advance-episodes', 10],
    alone: ['advance-episodes', 1],
    datasets: ['build-dataset', 1],
  }
  const running = Object.entries(functions).flatMap(([queue, [name, batchSize]]) => [
    feed(name, queues[queue as QueueName].url, batchSize),
    feed('dead-letters', queues[queue as QueueName].dead_letters, 10),
  ])
  running.push(everyFewSeconds(() => pool.invoke('sweep', {}), signal))

  return {
    world,
    pool,
    environment,
    call: openGateway(pool),
    proxies,
    async close() {
      closing.abort()
      await Promise.all(running)
      pool.close()
      client.destroy()
      await Promise.all(proxies.map((proxy) => proxy.close()))
      // What killed processes had asked for is still being done, and moto cannot list a bucket meanwhile.
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** A sweep that fails is followed by the next, as EventBridge has it. */
async function everyFewSeconds(work: () => Promise<unknown>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await Promise.allSettled([work()])
    await new Promise((resolve) => setTimeout(resolve, sweepEvery))
  }
}
