import {
  DescribeTasksCommand,
  ECSClient,
  ListTasksCommand,
  StopTaskCommand,
  type Task,
} from '@aws-sdk/client-ecs'
import { EspalierError } from '../../contracts/errors.ts'
import { NoCapacityError } from '../no-capacity-error.ts'
import type { Clock, Host, HostRequest, Hosts, Ledger } from '../ports.ts'
import type { AwsConnections } from './aws-connections.ts'
import { type AwsCall, awsCall, nameOf } from './aws-error.ts'
import { type LaunchRecord, LaunchRecords } from './launch-records.ts'
import { type HostsOptions, isCapacity, isQuota, runTask } from './run-task.ts'

/** ECS's quota of launches on Fargate, and the most tasks that one call describes. */
const limits = { launchesPerSecond: 20, described: 100 }

/** Time after a launch in which some of ECS may not know of it. Milliseconds. */
const settling = 60_000

const startingStatuses = new Set(['PROVISIONING', 'PENDING', 'ACTIVATING'])

const idPattern = /^[0-9a-f-]{32,36}$/

export interface AwsHostsParts {
  ledger: Ledger
  clock: Clock
  options: HostsOptions | null
}

/**
 * Hosts as Fargate tasks, on Spot as long as it has capacity. A host's id is its task's. The task definition
 * (`stopTimeout`) sets a host's time to drain: ECS takes no `grace` with a stop.
 */
export class AwsHosts implements Hosts {
  readonly #client: () => ECSClient
  readonly #records: LaunchRecords
  readonly #clock: Clock
  readonly #options: HostsOptions | null
  readonly #launches = new Map<string, Promise<Host>>()
  readonly #pace: LaunchPace

  constructor(connections: AwsConnections, { ledger, clock, options }: AwsHostsParts) {
    this.#client = connections.lazily((settings) => new ECSClient(settings))
    this.#records = new LaunchRecords(ledger, clock)
    this.#clock = clock
    this.#pace = new LaunchPace(clock, limits.launchesPerSecond)
    this.#options = options
  }

  async launch(request: HostRequest): Promise<Host> {
    const { token } = request
    const launching = this.#launches.get(token) ?? this.#launch(request)
    this.#launches.set(token, launching)
    try {
      return await launching
    } finally {
      this.#launches.delete(token)
    }
  }

  async describe(ids: string[]): Promise<Host[]> {
    const { cluster } = this.#settings()
    const known = [...new Set(ids)].filter((id) => idPattern.test(id))
    const groups = Array.from({ length: Math.ceil(known.length / limits.described) }, (_, index) =>
      known.slice(index * limits.described, (index + 1) * limits.described),
    )
    const answers = await Promise.all(
      groups.map((tasks) =>
        awsCall(this.#call('describe hosts'), () =>
          this.#client().send(new DescribeTasksCommand({ cluster, tasks })),
        ),
      ),
    )
    return answers.flatMap(({ tasks = [] }) => tasks.map((task) => this.#hostOf(task)))
  }

  async list(): Promise<Host[]> {
    const { cluster } = this.#settings()
    const ids: string[] = []
    let nextToken: string | undefined
    do {
      const command = new ListTasksCommand({ cluster, desiredStatus: 'RUNNING', nextToken })
      const page = await awsCall(this.#call('list hosts'), () => this.#client().send(command))
      ids.push(...(page.taskArns ?? []).map(taskId))
      nextToken = page.nextToken
    } while (nextToken !== undefined)
    return (await this.describe(ids)).filter(({ status }) => status !== 'stopped')
  }

  /** ECS takes no `grace`: the container's `stopTimeout` holds. */
  async stop(id: string): Promise<void> {
    const { cluster } = this.#settings()
    if (!idPattern.test(id)) return
    const command = new StopTaskCommand({ cluster, task: id, reason: 'Espalier asked it to leave.' })
    try {
      await awsCall(this.#call(`stop the host ${id}`), () => this.#client().send(command))
    } catch (error) {
      const isUnknown = error instanceof Error && /not found|not be found/i.test(error.message)
      if (nameOf(error) !== 'InvalidParameterException' || !isUnknown) throw error
    }
  }

  async #launch({ image, token, environment = {}, on_demand = false }: HostRequest): Promise<Host> {
    const { images } = this.#settings()
    const family = Object.hasOwn(images, image) ? images[image] : undefined
    if (family === undefined) {
      const known = Object.keys(images).join(', ')
      throw new EspalierError(
        'invalid_request',
        `There is no image "${image}" here. ${known === '' ? 'None is configured.' : `Choose one of: ${known}.`}`,
      )
    }
    const record = await this.#records.open(token, image)
    if (record.task !== null) return this.#recorded(record.task, record)
    if (on_demand && !record.on_demand) await this.#records.goOnDemand(token)
    const task = await this.#run(
      { family, token, environment },
      { ...record, on_demand: record.on_demand || on_demand },
    )
    const id = typeof task === 'string' ? taskId(task) : taskId(task.taskArn ?? '')
    await this.#records.keep(token, id)
    return typeof task === 'string' ? this.#recorded(id, record) : this.#hostOf(task)
  }

  async #run(
    request: { family: string; token: string; environment: Record<string, string> },
    record: LaunchRecord,
  ): Promise<Task | string> {
    const providers = record.on_demand ? (['FARGATE'] as const) : (['FARGATE_SPOT', 'FARGATE'] as const)
    const refusals: string[] = []
    for (const provider of providers) {
      if (provider === 'FARGATE' && !record.on_demand) await this.#records.goOnDemand(request.token)
      await this.#pace.turn()
      const launch = await awsCall(this.#call(`launch a host of ${request.family}`), () =>
        runTask(this.#client(), this.#settings(), { ...request, provider }),
      )
      if ('task' in launch) return launch.task
      if ('earlier' in launch) return launch.earlier
      refusals.push(`${provider}: ${launch.refused}`)
    }
    const help = refusals.some(isQuota)
      ? 'raise the quotas "Fargate Spot vCPU resource count" and "Fargate On-Demand vCPU resource count", or lower max_hosts of the fleets.'
      : 'more subnets in ESPALIER_HOSTS help.'
    throw new NoCapacityError(
      `ECS has no capacity for a host of ${request.family} now (${refusals.join('; ')}). It is tried again; ${help}`,
    )
  }

  /** The host of a task launched before. ECS forgets it an hour after it stopped. */
  async #recorded(id: string, { image, asked_at }: LaunchRecord): Promise<Host> {
    const [host] = await this.describe([id])
    if (host !== undefined) return host
    const isNew = Math.abs(this.#clock.now() - asked_at) < settling
    return isNew
      ? { id, image, status: 'starting', address: null, reason: null }
      : {
          id,
          image,
          status: 'stopped',
          address: null,
          reason: 'It stopped so long ago that ECS has forgotten it.',
        }
  }

  #hostOf(task: Task): Host {
    const { images, port } = this.#settings()
    const family = /\/([^/:]+):\d+$/.exec(task.taskDefinitionArn ?? '')?.[1] ?? ''
    const [image = family] = Object.entries(images).find(([, name]) => name === family) ?? []
    return hostOfTask(task, image, port)
  }

  #settings(): HostsOptions {
    if (this.#options !== null) return this.#options
    throw new EspalierError(
      'invalid_state',
      'This process has no hosts: only where ESPALIER_HOSTS is set can they be launched, described and stopped.',
    )
  }

  #call(doing: string): AwsCall {
    return { doing, resource: `the cluster ${this.#settings().cluster}`, setting: 'ESPALIER_HOSTS' }
  }
}

export class LaunchPace {
  readonly #clock: Clock
  readonly #gap: number
  #next = 0
  #seen = 0

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock
    this.#gap = 1000 / perSecond
  }

  async turn(): Promise<void> {
    const now = this.#clock.now()
    // If the clock was set back, turns are as far away as they were before.
    if (now < this.#seen) this.#next -= this.#seen - now
    this.#seen = now
    const at = Math.max(now, this.#next)
    this.#next = at + this.#gap
    if (at > now) await this.#clock.sleep(at - now)
  }
}

export function hostOfTask(task: Task, image: string, port: number): Host {
  const id = taskId(task.taskArn ?? '')
  const status = statusOf(task)
  const ip = privateAddress(task)
  return {
    id,
    image,
    ...(task.startedBy !== undefined && { token: task.startedBy }),
    // Without an address it cannot be reached yet: it is about to have one.
    status: status === 'running' && ip === null ? 'starting' : status,
    address: status === 'running' && ip !== null ? `http://${ip}:${port}` : null,
    reason: status === 'stopped' ? reasonOf(task) : null,
    ...(status === 'stopped' && isCapacity(task.stoppedReason ?? '') && { lacked_capacity: true as const }),
  }
}

function taskId(arn: string): string {
  return arn.split('/').at(-1) ?? arn
}

function statusOf({ lastStatus, desiredStatus }: Task): Host['status'] {
  if (lastStatus === undefined || startingStatuses.has(lastStatus)) {
    return desiredStatus === 'STOPPED' ? 'stopped' : 'starting'
  }
  return lastStatus === 'RUNNING' && desiredStatus !== 'STOPPED' ? 'running' : 'stopped'
}

function privateAddress({ attachments = [] }: Task): string | null {
  const network = attachments.find(({ type }) => type === 'ElasticNetworkInterface')
  const detail = network?.details?.find(({ name }) => name === 'privateIPv4Address')
  return detail?.value ?? null
}

function reasonOf({ stoppedReason, containers = [] }: Task): string {
  const ends = containers.flatMap(({ reason, exitCode }) => [
    ...(reason ? [reason] : []),
    ...(exitCode === undefined ? [] : [`It ended with code ${exitCode}.`]),
  ])
  const reasons = [...(stoppedReason ? [stoppedReason] : []), ...ends]
  return reasons.length > 0 ? reasons.join(' ') : 'ECS ended it.'
}
