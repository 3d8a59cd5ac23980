import { expect, test } from 'vitest'
import { SessionPlaces } from '../../../shared/environments/agentgym/session-places.ts'

test('a caller that leaves just as a place is free takes no other out of the queue', async () => {
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
  let calls = 0
  await places.take(signal, () => {
    calls += 1
  })
  expect(calls).toBe(0)
  const waiting = places.take(signal, () => {
    calls += 1
    if (calls === 2) places.giveBack()
  })
  await waiting
  await new Promise((done) => setTimeout(done, 600))
  expect(calls).toBe(2)
})
