import { expect, test } from 'vitest'
import { RoutedQueue } from '../../../../shared/core/world/aws/routed-queue.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

const take = { max: 100, wait: 0, visibility: 60 }

async function openQueues() {
  const { queues } = await openTestWorld()
  const [own, other] = [queues.episodes, queues.datasets]
  const asked: string[] = []
  const routed = new RoutedQueue(own, async (group) => {
    asked.push(group)
    return group.startsWith('slow') ? other : own
  })
  return { asked, own, other, routed }
}

test('messages go to the queue of their group, which is asked for once for all of them', async () => {
  const { asked, own, other, routed } = await openQueues()
  const groups = ['fast', 'slow', 'fast', 'slower']
  await routed.send(groups.map((group, index) => ({ body: { index }, group })))
  expect(asked).toEqual(['fast', 'slow', 'slower'])
  const groupsOf = async (queue: typeof own) =>
    (await queue.receive(take)).map(({ group }) => group).toSorted()
  expect(await groupsOf(own)).toEqual(['fast', 'fast'])
  expect(await groupsOf(other)).toEqual(['slow', 'slower'])
})

test('what is taken, hidden and deleted is of its own queue', async () => {
  const { own, routed } = await openQueues()
  await routed.send([
    { body: {}, group: 'fast' },
    { body: {}, group: 'slow' },
  ])
  const [message, ...others] = await routed.receive(take)
  expect(others).toEqual([])
  await routed.extend(message?.receipt ?? '', 0)
  const [again] = await routed.receive(take)
  await routed.delete(again?.receipt ?? '')
  expect(await own.receive(take)).toEqual([])
})

test('a message whose queue cannot be found out is not sent, and says so', async () => {
  const { own } = await openQueues()
  const routed = new RoutedQueue(own, () => Promise.reject(new Error('There is no such run.')))
  await expect(routed.send([{ body: {}, group: 'lost' }])).rejects.toThrow('no such run')
  expect(await own.receive(take)).toEqual([])
})
