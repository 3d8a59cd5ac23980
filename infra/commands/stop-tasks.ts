import {
  ClusterNotFoundException,
  DescribeTasksCommand,
  DesiredStatus,
  type ECSClient,
  ListTasksCommand,
  StopTaskCommand,
  type Task,
} from '@aws-sdk/client-ecs'
import { EspalierError } from '../../shared/core/contracts/errors.ts'

const mostDescribed = 100
const rounds = 60
const roundSeconds = 5

export interface StopOptions {
  cluster: string
  /** Receives the number of tasks that still stop, whenever it has changed. */
  onProgress: (live: number) => void
  pause: (milliseconds: number) => Promise<void>
}

/**
 * Stops the tasks of a cluster and waits until they have ended: they drain for up to two minutes, and hold their
 * network until then. Leaves tasks of services to CloudFormation, which drains a service when it deletes it.
 * @throws EspalierError `invalid_state` if tasks still run after five minutes
 */
export async function stopTasks(
  containers: Pick<ECSClient, 'send'>,
  { cluster, onProgress, pause }: StopOptions,
): Promise<void> {
  let live: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    const listed = await listTasks(containers, cluster)
    const tasks = (await describeTasks(containers, cluster, [...new Set([...live, ...listed])])).filter(
      ({ lastStatus, startedBy }) => lastStatus !== 'STOPPED' && !startedBy?.startsWith('ecs-svc/'),
    )
    for (const { desiredStatus, taskArn } of tasks) {
      if (desiredStatus === 'STOPPED') continue
      await containers.send(new StopTaskCommand({ cluster, task: taskArn }))
    }
    if (tasks.length !== live.length) onProgress(tasks.length)
    live = tasks.flatMap(({ taskArn }) => taskArn ?? [])
    if (live.length === 0) return
    await pause(roundSeconds * 1000)
  }
  throw new EspalierError(
    'invalid_state',
    `Tasks of the cluster ${cluster} still run ${(rounds * roundSeconds) / 60} minutes after they were asked to stop: ${live.join(', ')}. Nothing was deleted. Run it again.`,
  )
}

/** A task that was asked to stop is listed as stopped before it has ended. */
async function listTasks(containers: Pick<ECSClient, 'send'>, cluster: string): Promise<string[]> {
  const arns: string[] = []
  for (const desiredStatus of [DesiredStatus.RUNNING, DesiredStatus.STOPPED]) {
    let nextToken: string | undefined
    do {
      const page = await unlessGone(
        containers.send(new ListTasksCommand({ cluster, desiredStatus, nextToken })),
      )
      arns.push(...(page?.taskArns ?? []))
      nextToken = page?.nextToken
    } while (nextToken !== undefined)
  }
  return arns
}

async function describeTasks(
  containers: Pick<ECSClient, 'send'>,
  cluster: string,
  arns: readonly string[],
): Promise<Task[]> {
  const described: Task[] = []
  for (let first = 0; first < arns.length; first += mostDescribed) {
    const tasks = arns.slice(first, first + mostDescribed)
    const answer = await unlessGone(containers.send(new DescribeTasksCommand({ cluster, tasks })))
    described.push(...(answer?.tasks ?? []))
  }
  return described
}

async function unlessGone<Answer>(call: Promise<Answer>): Promise<Answer | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ClusterNotFoundException) return null
    throw error
  }
}
