import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EspalierError } from '../../../../shared/core/contracts/errors.ts'
import type {
  JobConsumerHandler,
  JobLook,
  NextJob,
} from '../../../../shared/core/engine/jobs/job-messages.ts'
import { jobGivenUp, takeJobMessage } from '../../../../shared/core/engine/jobs/job-messages.ts'
import { startJobConsumer } from '../../../../shared/core/engine/jobs/start-job-consumer.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

const fail = (error: unknown) => expect.unreachable(String(error))
const never = new AbortController().signal

function handlerThat(
  advance: (job: JobLook) => Promise<NextJob[]>,
): JobConsumerHandler & { ended: string[] } {
  const ended: string[] = []
  return { advance, giveUp: async (id, reason) => void ended.push(`${id}: ${reason}`), ended }
}

test('a job is looked at until no look comes after', async () => {
  const world = await openTestWorld()
  const looks: (number | undefined)[] = []
  const training = handlerThat(async ({ id, look = 0 }) => {
    looks.push(look)
    return look === 3 ? [] : [{ training: id, look: look + 1, delay: 0 }]
  })
  const consumer = startJobConsumer(world, { training }, fail)
  await world.queues.jobs.send([{ body: { training: 'training-1', look: 0 }, group: 'training-1' }])
  await expect.poll(() => looks).toEqual([0, 1, 2, 3])
  await consumer.stop()
})

test('trainings and loops go to their own handlers', async () => {
  const world = await openTestWorld()
  const seen: string[] = []
  const by = (kind: string) =>
    handlerThat(async ({ id }) => {
      seen.push(`${kind} ${id}`)
      return []
    })
  const consumer = startJobConsumer(world, { training: by('training'), loop: by('loop') }, fail)
  await world.queues.jobs.send([
    { body: { training: 'a' }, group: 'a' },
    { body: { loop: 'b' }, group: 'b' },
  ])
  await expect.poll(() => seen.toSorted()).toEqual(['loop b', 'training a'])
  await consumer.stop()
})

test('a look that fails comes back and says that it is repeated', async () => {
  const world = await openTestWorld()
  const repeated: boolean[] = []
  const errors: unknown[] = []
  const training = handlerThat(async ({ isRepeated }) => {
    repeated.push(isRepeated)
    if (!isRepeated) throw new Error('once')
    return []
  })
  const consumer = startJobConsumer(world, { training }, (error) => errors.push(error))
  await world.queues.jobs.send([{ body: { training: 'a' }, group: 'a' }])
  await expect.poll(() => repeated).toEqual([false, true])
  expect(errors).toMatchObject([{ message: 'once' }])
  await consumer.stop()
})

test('a message whose job was never stored is dropped after some tries, without a word', async () => {
  const world = await openTestWorld()
  const queue = world.queues.jobs
  const training = handlerThat(async () => {
    throw new EspalierError('not_found', 'There is no training "a".')
  })
  await queue.send([{ body: { training: 'a' }, group: 'a' }])
  const [message] = await queue.receive({ max: 1, wait: 1, visibility: 60 })
  const needs = { queue, handlers: { training }, onError: fail }
  expect(message).toBeDefined()
  if (message === undefined) return
  expect(await takeJobMessage(needs, { ...message, receives: 1 }, never)).toBe(false)
  expect(await takeJobMessage(needs, { ...message, receives: 3 }, never)).toBe(true)
})

test('a job that no look could advance is given up', async () => {
  const world = await openTestWorld()
  const training = handlerThat(() => Promise.reject(new Error('always')))
  const { jobs } = world.queues
  await jobs.send([{ body: { training: 'a' }, group: 'a' }])
  for (let time = 0; time < 5; time += 1) {
    const [message] = await jobs.receive({ max: 1, wait: 1, visibility: 60 })
    if (message !== undefined) await jobs.extend(message.receipt, 0)
  }
  await jobs.receive({ max: 1, wait: 0, visibility: 60 })
  const consumer = startJobConsumer(world, { training }, () => undefined)
  await expect.poll(() => training.ended).toEqual([`a: ${jobGivenUp}`])
  await sleep(10)
  await consumer.stop()
})
