import { expect, test } from 'vitest'
import { SessionPlaces } from '../../../shared/environments/agentgym/session-places.ts'

test('who is called off just as a place is free takes nobody out of the queue', async () => {
  const places = new SessionPlaces(1)
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()]
  await places.take(first.signal)
  const taken = places.take(second.signal)
  const next = places.take(third.signal)
  places.giveBack()
  second.abort()
  await taken
  places.giveBack()
  expect(
    await Promise.race([next.then(() => 'in'), new Promise((done) => setTimeout(done, 200, 'waits'))]),
  ).toBe('in')
})

test('who waits hears again and again that there is no room, and no longer once it is let in', async () => {
  const places = new SessionPlaces(1)
  const { signal } = new AbortController()
  let told = 0
  await places.take(signal, () => {
    told += 1
  })
  expect(told).toBe(0)
  const waiting = places.take(signal, () => {
    told += 1
    if (told === 2) places.giveBack()
  })
  await waiting
  await new Promise((done) => setTimeout(done, 600))
  expect(told).toBe(2)
})
