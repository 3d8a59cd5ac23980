import { expect, test } from 'vitest'
import { acquireLease, releaseLease } from '../../../shared/core/world/lease.ts'
import type { Ledger } from '../../../shared/core/world/ports.ts'
import { leasedResetTurns } from '../../../shared/environments/hosts/leased-reset-turns.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const { signal } = new AbortController()

/** A ledger that says which leases were asked for. */
async function openWatched() {
  const { ledger, clock } = await openTestWorld()
  const keys: Parameters<Ledger['get']>[0][] = []
  const watched: Ledger = {
    ...ledger,
    get: (key) => ledger.get(key),
    query: (...rest) => ledger.query(...rest),
    transact: (changes) => ledger.transact(changes),
    update: (change) => {
      keys.push(change.key)
      return ledger.update(change)
    },
  }
  return { ledger, clock, keys, turns: leasedResetTurns({ ledger: watched, clock }) }
}

test('a reset waits for the one that a worker elsewhere does at the same address', async () => {
  const { ledger, clock, keys, turns } = await openWatched()
  await turns('http://lab', async () => undefined, signal)
  const [key] = keys
  if (key === undefined) throw new Error('A lease was expected.')
  const theirs = await acquireLease(ledger, key, 'elsewhere', { now: clock.now(), duration: 60_000 })
  if (theirs === null) throw new Error('The turn was expected to be given back.')
  const done: string[] = []
  const mine = turns('http://lab', async () => done.push('mine'), signal)
  await turns('http://other-lab', async () => done.push('other'), signal)
  expect(done).toEqual(['other'])
  await releaseLease(ledger, theirs)
  await mine
  expect(done).toEqual(['other', 'mine'])
})

test('a turn is given back when its reset fails, and one that is called off is not waited for', async () => {
  const { ledger, clock, keys, turns } = await openWatched()
  await expect(turns('http://lab', () => Promise.reject(new Error('500')), signal)).rejects.toThrow('500')
  expect(await turns('http://lab', async () => 'well', signal)).toBe('well')
  const [key] = keys
  if (key === undefined) throw new Error('A lease was expected.')
  await acquireLease(ledger, key, 'elsewhere', { now: clock.now(), duration: 60_000 })
  const stop = new AbortController()
  const waiting = turns('http://lab', async () => 'late', stop.signal)
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow()
})
