import { hash } from 'node:crypto'
import { type ECSClient, RunTaskCommand, type RunTaskCommandInput, type Task } from '@aws-sdk/client-ecs'
import { EspalierError } from '../../contracts/errors.ts'

const maxOverrides = 8192

const containerName = 'host'

export interface HostsOptions {
  cluster: string
  subnets: string[]
  security_group: string
  /** The task definition family of each image. Its container is called `host`. */
  images: Record<string, string>
  /** True: hosts get public addresses, by which they reach the internet. @default true */
  public_addresses?: boolean | undefined
  port: number
}

export interface TaskRequest {
  family: string
  token: string
  environment: Record<string, string>
  provider: 'FARGATE_SPOT' | 'FARGATE'
}

export type TaskLaunch = { task: Task } | { earlier: string } | { refused: string }

/**
 * Starts a task. In a public subnet hosts reach the internet without a NAT gateway, and the security group admits
 * only the caller of hosts. Repeated with one token and provider, ECS starts one.
 * @throws EspalierError `storage_failed` if ECS refuses for another reason than capacity or a quota
 */
export async function runTask(
  client: ECSClient,
  { cluster, subnets, security_group, public_addresses = true }: HostsOptions,
  { family, token, environment, provider }: TaskRequest,
): Promise<TaskLaunch> {
  const request: RunTaskCommandInput = {
    cluster,
    taskDefinition: family,
    count: 1,
    capacityProviderStrategy: [{ capacityProvider: provider, weight: 1 }],
    networkConfiguration: {
      awsvpcConfiguration: {
        subnets,
        securityGroups: [security_group],
        assignPublicIp: public_addresses ? 'ENABLED' : 'DISABLED',
      },
    },
    overrides: overridesOf(environment),
    propagateTags: 'TASK_DEFINITION',
    startedBy: token.replaceAll(/[^\w/-]/g, '_').slice(0, 128),
    clientToken: hash('sha256', `${provider} ${token}`),
  }
  try {
    const { tasks = [], failures = [] } = await client.send(new RunTaskCommand(request))
    const [task] = tasks
    if (task !== undefined) return { task }
    const why = failures.map(({ reason, detail }) => [reason, detail].filter(Boolean).join(': ')).join('; ')
    if (isCapacity(why)) return { refused: why }
    throw new EspalierError(
      'storage_failed',
      `ECS did not start a host of ${family} in the cluster ${cluster} (${why || 'it gave no reason'}). Look at the task definition, and at the subnets in ESPALIER_HOSTS.`,
    )
  } catch (error) {
    if (error instanceof Error && error.name === 'ConflictException') {
      const [earlier] = 'resourceIds' in error && Array.isArray(error.resourceIds) ? error.resourceIds : []
      if (typeof earlier === 'string') return { earlier }
    }
    if (error instanceof Error && isCapacity(error.message) && !EspalierError.isInstance(error)) {
      return { refused: error.message }
    }
    throw error
  }
}

function overridesOf(environment: Record<string, string>): RunTaskCommandInput['overrides'] {
  const variables = Object.entries(environment).map(([name, value]) => ({ name, value }))
  if (variables.length === 0) return undefined
  const overrides = { containerOverrides: [{ name: containerName, environment: variables }] }
  const size = Buffer.byteLength(JSON.stringify(overrides))
  if (size <= maxOverrides) return overrides
  throw new EspalierError(
    'invalid_request',
    `The environment of a host has ${size} bytes, and ECS takes ${maxOverrides}: put what is large into objects and name its key.`,
    { param: 'environment' },
  )
}

export function isCapacity(reason: string): boolean {
  return /capacity|RESOURCE:/i.test(reason) || isQuota(reason)
}

/** As "You've reached the limit on the number of vCPUs you can run concurrently". */
export function isQuota(reason: string): boolean {
  return /reached the limit on the number of|(vcpu|task)s? (limit|quota)/i.test(reason)
}
