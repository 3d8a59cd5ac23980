import { expect, onTestFinished, test } from 'vitest'
import type { Ledger } from '../../../shared/core/world/ports.ts'
import { callScalerOnce, endScalerCall } from '../../../shared/environments/hosts/fleet-call.ts'
import { readDemand } from '../../../shared/environments/hosts/host-demand.ts'
import { hostSessions } from '../../../shared/environments/hosts/host-sessions.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const image = 'env-host'
const caller = { call: () => Promise.reject(new Error('There is no host to be called.')) }

test('who waits writes its request once, not with every look, and calls the scaler at once', async () => {
  const world = await openTestWorld()
  const writes: string[] = []
  const ledger: Ledger = {
    ...world.ledger,
    get: (key) => world.ledger.get(key),
    query: (...query) => world.ledger.query(...query),
    transact: (changes) => world.ledger.transact(changes),
    update: (change) => {
      writes.push(change.key.partition)
      return world.ledger.update(change)
    },
  }
  const seen = { ...world, ledger }
  let calls = 0
  const callScaler = async () => {
    calls += 1
  }
  const source = hostSessions({
    world: seen,
    caller,
    image,
    environment: 'toy',
    withSnapshots: true,
    callScaler,
  })
  const leaving = new AbortController()
  const waiting = ['one', 'two', 'three'].map((holder) =>
    source.open({ task: 'one', seed: 0, holder }, leaving.signal).catch((error: Error) => error.name),
  )
  await expect.poll(() => readDemand(world, image)).toBe(3)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect(writes.filter((partition) => partition === `host-demand/${image}`)).toHaveLength(3)
  expect(calls).toBe(1)
  leaving.abort()
  expect(await Promise.all(waiting)).toEqual(['AbortError', 'AbortError', 'AbortError'])
  expect(await readDemand(world, image)).toBe(0)
})

test('the scaler is called again when it has ended, and when it died', async () => {
  const { ledger, clock } = await openTestWorld()
  const time = { now: clock.now() }
  const world = { ledger, clock: { ...clock, now: () => time.now } }
  let calls = 0
  const call = () =>
    callScalerOnce(world, async () => {
      calls += 1
    })
  await Promise.all([call(), call(), call()])
  await call()
  expect(calls).toBe(1)
  await endScalerCall(world)
  await call()
  expect(calls).toBe(2)
  time.now += 61_000
  await Promise.all([call(), call()])
  expect(calls).toBe(3)
  // A clock that was set back does not keep it from being called.
  time.now -= 3_600_000
  await call()
  expect(calls).toBe(4)
})

test('a request that the scaler could not be called for fails the wait, and is taken back', async () => {
  const world = await openTestWorld()
  const callScaler = () => Promise.reject(new Error('Lambda cannot be reached.'))
  const source = hostSessions({ world, caller, image, environment: 'toy', withSnapshots: true, callScaler })
  const { signal } = new AbortController()
  const opening = source.open({ task: 'one', seed: 0, holder: 'a test' }, signal)
  onTestFinished(() => void opening.catch(() => undefined))
  await expect(opening).rejects.toThrow('Lambda cannot be reached.')
  expect(await readDemand(world, image)).toBe(0)
})
