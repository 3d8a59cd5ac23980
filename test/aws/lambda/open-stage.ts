import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SQSClient } from '@aws-sdk/client-sqs'
import { createCallHost } from '../../../functions/call-host/call-host.ts'
import type { AwsWorldOptions } from '../../../shared/core/world/aws/open-aws-world.ts'
import type { QueueName, World } from '../../../shared/core/world/ports.ts'
import { DirectHostCaller } from '../../../shared/environments/hosts/direct-host-caller.ts'
import { openAwsTestWorld } from '../aws-test-world.ts'
import { type FaultOptions, type FaultProxy, startFaultProxy } from '../emulators/fault-proxy.ts'
import { openProcessHosts } from '../emulators/process-hosts.ts'
import { pollEventSource } from './event-source.ts'
import { openGateway } from './gateway.ts'
import { LambdaPool } from './lambda-pool.ts'
import { LoopDetection } from './loop-detection.ts'
import { StageMeters } from './stage-meters.ts'
import { openStageServices } from './stage-services.ts'

export interface StageOptions {
  /** What `endpoints.json` says. */
  endpoints: object
  /** What goes wrong between the functions and AWS. */
  faults: FaultOptions
  /** Asked for each batch: whether its function is invoked twice with it, at once. */
  isTwice: () => boolean
  /** Whether it has long-lived workers, which the test starts. @default false */
  hasWorkers?: boolean
  /** Milliseconds that a function is said to have. */
  milliseconds: number
  /** The stage's name. @default 'test' */
  name?: string
  /** Whether environments can run on hosts, which are child processes here. @default false */
  hosts?: boolean
  /** Whether the sweeper is called every few seconds. @default true */
  sweeps?: boolean
  /**
   * Seconds that a batch is invisible. In the stack it is longer than any invocation, and the messages of a function that died come
   * back as late. @default 20
   */
  visibility?: number
  /** How many functions run at once beside the API's, each in a process that takes its time to start. @default 6 */
  most?: number
}

export interface Stage {
  /** The world without faults, for the test to look at. */
  world: World
  pool: LambdaPool
  /** What Lambda makes of chains of its functions. */
  loops: LoopDetection
  /** The variables of its functions. */
  environment: NodeJS.ProcessEnv
  call: ReturnType<typeof openGateway>
  proxies: FaultProxy[]
  /** What AWS would bill so far. */
  meters: StageMeters
  /** Where the SDK finds the stage's functions and their metrics. */
  services: string
  resources: Pick<AwsWorldOptions, 'table' | 'bucket' | 'queues'>
  close(): Promise<void>
}

const repository = join(import.meta.dirname, '../../..')

const sweepEvery = 3000
/** Megabytes of each function, as `advance-episodes` has in the stack. */
const memory = 1024

/** The service as the stack deploys it: gateway, functions in processes of their own, event sources and schedules. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const { dispose, lasting, options: resources, world } = await openAwsTestWorld()
  const folder = await mkdtemp(join(tmpdir(), 'espalier-stage-'))
  const endpointsFile = join(folder, 'endpoints.json')
  await writeFile(endpointsFile, JSON.stringify(options.endpoints))
  const { most = 6, name = 'test', visibility = 20 } = options
  const functionName = (short: string) => `espalier-${name}-${short}`
  const meters = new StageMeters()
  const services = await openStageServices({ invoke: invokeByName, memory, meters })
  const hosts = options.hosts
    ? await openProcessHosts({ 'env-host': join(repository, 'containers/env-host/env-host.ts') }, folder)
    : null
  const caller = new DirectHostCaller({ world, network: 'this-machine' })
  const callHost = createCallHost(caller, () => undefined)
  const proxies: FaultProxy[] = []
  async function throughFaults(service: 's3' | 'sqs' | 'dynamodb'): Promise<string> {
    const target = process.env[`AWS_ENDPOINT_URL_${service.toUpperCase()}`]
    if (target === undefined) throw new Error(`The emulator of ${service} is not running.`)
    const proxy = await startFaultProxy(service, target, options.faults, meters.hooksOf(service))
    proxies.push(proxy)
    return proxy.address
  }
  const { queues } = resources
  const variables = {
    ...process.env,
    AWS_ENDPOINT_URL_S3: await throughFaults('s3'),
    AWS_ENDPOINT_URL_SQS: await throughFaults('sqs'),
    AWS_ENDPOINT_URL_DYNAMODB: await throughFaults('dynamodb'),
    AWS_ENDPOINT_URL_LAMBDA: services.address,
    ...(hosts !== null && {
      AWS_ENDPOINT_URL_ECS: hosts.address,
      ESPALIER_HOSTS: JSON.stringify(hosts.options),
      ESPALIER_CALL_HOST: functionName('call-host'),
    }),
    ESPALIER_STAGE: name,
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
  const loops = new LoopDetection()
  const pool = new LambdaPool({
    most,
    loops,
    milliseconds: options.milliseconds,
    onEnd: (short, milliseconds) => meters.invoked(functionName(short), milliseconds),
    environment: variables,
  })
  /** The hosts of this machine are reached from here: the function itself calls hosts of a private network alone. */
  async function invokeByName(called: string, event: unknown): Promise<unknown> {
    const started = performance.now()
    if (called !== functionName('call-host')) throw new Error(`There is no function "${called}".`)
    const answer = await callHost(event)
    meters.invoked(called, performance.now() - started)
    return answer
  }
  const closing = new AbortController()
  const { signal } = closing
  const client = new SQSClient({ useQueueUrlAsEndpoint: false })
  const feed = (name: string, url: string, batchSize: number, deadLetters?: string) =>
    pollEventSource({
      client,
      pool,
      loops,
      name,
      url,
      ...(deadLetters !== undefined && { deadLetters }),
      batchSize,
      concurrency: most,
      visibility,
      isTwice: options.isTwice,
      signal,
      meters,
    })
  const functions: Record<Exclude<QueueName, 'jobs'>, [name: string, batchSize: number]> = {
    episodes: ['advance-episodes', 10],
    alone: ['advance-episodes', 1],
    datasets: ['build-dataset', 1],
  }
  const running = Object.entries(functions).flatMap(([queue, [name, batchSize]]) => {
    const { dead_letters, url } = queues[queue as QueueName]
    return [feed(name, url, batchSize, dead_letters), feed('dead-letters', dead_letters, 10)]
  })
  if (options.sweeps !== false) running.push(everyFewSeconds(() => pool.invoke('sweep', {}), signal))
  if (hosts !== null) running.push(everyFewSeconds(() => pool.invoke('scale-hosts', {}), signal))

  return {
    world,
    pool,
    loops,
    environment: variables,
    call: openGateway(pool),
    proxies,
    meters,
    services: services.address,
    resources: { table: resources.table, bucket: resources.bucket, queues },
    async close() {
      closing.abort()
      await Promise.all(running)
      pool.close()
      await services.close()
      await hosts?.close()
      client.destroy()
      // Also what killed processes asked for: moto cannot list a bucket meanwhile.
      await Promise.all(proxies.map((proxy) => proxy.close()))
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
