import {
  ClusterNotFoundException,
  DescribeTasksCommand,
  type ECSClient,
  ListTasksCommand,
  StopTaskCommand,
} from '@aws-sdk/client-ecs'
import { expect, test } from 'vitest'
import { stopTasks } from '../../infra/commands/stop-tasks.ts'

interface FakeTask {
  desiredStatus: 'RUNNING' | 'STOPPED'
  lastStatus: string
  startedBy?: string
  /** Pauses between the request to stop and the end. */
  drains: number
}

/** A cluster in memory: a task leaves the list of running ones with the request to stop, and ends later. */
function openCluster(given: Record<string, Partial<FakeTask>>) {
  const tasks = new Map<string, FakeTask>(
    Object.entries(given).map(([arn, task]) => [
      arn,
      { desiredStatus: 'RUNNING', lastStatus: 'RUNNING', drains: 3, ...task },
    ]),
  )
  const stopped: string[] = []
  const batches: number[] = []
  async function send(command: object): Promise<object> {
    if (command instanceof ListTasksCommand) {
      const { desiredStatus, nextToken = '' } = command.input
      const listed = [...tasks].filter(
        ([arn, task]) => task.desiredStatus === desiredStatus && arn > nextToken,
      )
      const page = listed.map(([arn]) => arn).slice(0, 100)
      return { taskArns: page, ...(listed.length > 100 && { nextToken: page.at(-1) }) }
    }
    if (command instanceof DescribeTasksCommand) {
      const asked = command.input.tasks ?? []
      batches.push(asked.length)
      const found = asked.flatMap((taskArn) => {
        const task = tasks.get(taskArn)
        return task === undefined ? [] : [{ taskArn, ...task }]
      })
      return { tasks: found }
    }
    if (command instanceof StopTaskCommand) {
      const task = tasks.get(String(command.input.task))
      if (task === undefined) throw new Error('There is no such task.')
      stopped.push(String(command.input.task))
      Object.assign(task, { desiredStatus: 'STOPPED', lastStatus: 'DEACTIVATING' })
      return {}
    }
    throw new Error(`Unexpected: ${command.constructor.name}`)
  }
  const seen: number[] = []
  let pauses = 0
  const stop = () =>
    stopTasks({ send } as unknown as Pick<ECSClient, 'send'>, {
      cluster: 'espalier-dev',
      onProgress: (live) => seen.push(live),
      async pause() {
        pauses += 1
        for (const [arn, task] of tasks) {
          if (task.desiredStatus === 'RUNNING') continue
          task.drains -= 1
          if (task.drains === 0) task.lastStatus = 'STOPPED'
          if (task.drains < 0) tasks.delete(arn)
        }
      },
    })
  return { tasks, stopped, batches, seen, stop, pauses: () => pauses }
}

test('tasks are waited for until they have ended, though none is listed as running any more', async () => {
  const { seen, stop, stopped, tasks, pauses } = openCluster({ a: {}, b: { drains: 5 } })
  await stop()
  expect(stopped).toEqual(['a', 'b'])
  expect([...tasks.values()].map(({ lastStatus }) => lastStatus)).toEqual(['STOPPED'])
  expect(seen).toEqual([2, 1, 0])
  expect(pauses()).toBe(5)
})

test('a task that was stopped before is waited for too, and one that has ended is not', async () => {
  const { seen, stop, stopped, pauses } = openCluster({
    ending: { desiredStatus: 'STOPPED', lastStatus: 'DEPROVISIONING', drains: 2 },
    ended: { desiredStatus: 'STOPPED', lastStatus: 'STOPPED' },
  })
  await stop()
  expect(stopped).toEqual([])
  expect(seen).toEqual([1, 0])
  expect(pauses()).toBe(2)
})

test('tasks of services are left to CloudFormation', async () => {
  const { stop, stopped, tasks } = openCluster({ host: {}, worker: { startedBy: 'ecs-svc/123' } })
  await stop()
  expect(stopped).toEqual(['host'])
  expect(tasks.get('worker')?.lastStatus).toBe('RUNNING')
})

test('all pages are stopped, and no call describes more than a hundred', async () => {
  const names = Array.from({ length: 250 }, (_, index) => `task-${1000 + index}`)
  const { batches, stop, stopped } = openCluster(Object.fromEntries(names.map((name) => [name, {}])))
  await stop()
  expect(stopped).toEqual(names)
  expect(Math.max(...batches)).toBe(100)
})

test('the wait is bounded, and a task that does not end is named', async () => {
  const { pauses, stop } = openCluster({ stuck: { drains: Number.POSITIVE_INFINITY } })
  await expect(stop()).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringMatching(/espalier-dev still run 5 minutes .*: stuck\. Nothing was deleted/),
  })
  expect(pauses()).toBe(60)
})

test('a stage without a cluster has nothing to stop', async () => {
  const send = () => Promise.reject(new ClusterNotFoundException({ message: 'none', $metadata: {} }))
  const options = { cluster: 'espalier-dev', onProgress: () => undefined, pause: async () => undefined }
  await stopTasks({ send } as unknown as Pick<ECSClient, 'send'>, options)
})
