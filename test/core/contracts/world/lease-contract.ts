import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { acquireLease, type Lease, releaseLease, renewLease } from '../../../../shared/core/world/lease.ts'
import type { Ledger, LedgerKey } from '../../../../shared/core/world/ports.ts'
import { atOnce, type ContractWorld, type OpenWorld, uniqueName } from './contract-world.ts'

const duration = 10_000

/** What a lease promises over every driver's ledger. Time is an argument, so nothing here waits. */
export function describeLeaseContract(name: string, openWorld: OpenWorld): void {
  describe(`leases over the ledger of ${name}`, () => {
    let opened: ContractWorld
    let ledger: Ledger
    let key: LedgerKey

    beforeAll(async () => {
      opened = await openWorld()
      ledger = opened.world.ledger
    })
    beforeEach(() => {
      key = { partition: uniqueName(), sort: 'lease' }
    })
    afterAll(() => opened.dispose())

    const acquire = (holder: string, now: number) => acquireLease(ledger, key, holder, { now, duration })
    async function hold(holder: string, now: number): Promise<Lease> {
      const lease = await acquire(holder, now)
      if (lease === null) throw new Error(`${holder} should have got the lease.`)
      return lease
    }

    test('the first who asks gets it until it expires', async () => {
      expect(await hold('one', 1000)).toEqual({ key, holder: 'one', token: 1, expires_at: 11_000 })
      expect(await acquire('two', 10_999)).toBeNull()
      expect(await acquire('two', 11_000)).toMatchObject({ holder: 'two', token: 2, expires_at: 21_000 })
    })

    test('of fifty that ask at once exactly one gets it', async () => {
      const leases = await atOnce(50, (index) => acquire(`worker ${index}`, 1000))
      expect(leases.filter((lease) => lease !== null)).toHaveLength(1)
    })

    test('of fifty that ask for an expired one at once exactly one gets it', async () => {
      await hold('dead', 0)
      const leases = await atOnce(50, (index) => acquire(`worker ${index}`, duration))
      expect(leases.filter((lease) => lease !== null)).toMatchObject([{ token: 2 }])
    })

    test('a holder that asks again has what it had', async () => {
      const lease = await hold('one', 1000)
      expect(await acquire('one', 2000)).toEqual(lease)
    })

    test('a lease that lasts longer than any, since the clock was set back, does not outlive its holder', async () => {
      const hour = 3_600_000
      await hold('one', hour)
      expect(await acquire('two', hour - 10_000)).toBeNull()
      expect(await acquire('two', 1000)).toMatchObject({ holder: 'two', token: 2, expires_at: 11_000 })
      expect(await acquire('one', 1000)).toBeNull()
    })

    test('renewing moves the end, and keeps the token', async () => {
      const lease = await hold('one', 0)
      expect(await renewLease(ledger, lease, { now: 9000, duration })).toEqual({
        ...lease,
        expires_at: 19_000,
      })
      expect(await acquire('two', 18_999)).toBeNull()
    })

    test('an expired lease that was not taken can be renewed', async () => {
      const lease = await hold('one', 0)
      expect(await renewLease(ledger, lease, { now: 50_000, duration })).toMatchObject({ expires_at: 60_000 })
    })

    test('a lease that another took is lost', async () => {
      const lost = await hold('one', 0)
      const lease = await hold('two', 20_000)
      expect(await renewLease(ledger, lost, { now: 21_000, duration })).toBeNull()
      await releaseLease(ledger, lost)
      expect(await acquire('three', 21_000)).toBeNull()
      expect(await renewLease(ledger, lease, { now: 22_000, duration })).toMatchObject({ holder: 'two' })
    })

    test('a lease taken again by the same holder makes the earlier one void', async () => {
      const earlier = await hold('one', 0)
      const later = await hold('one', 20_000)
      expect(later.token).toBe(earlier.token + 1)
      expect(await renewLease(ledger, earlier, { now: 21_000, duration })).toBeNull()
    })

    test('a released lease is free at once, cannot be renewed, and tokens go on growing', async () => {
      const lease = await hold('one', 0)
      await releaseLease(ledger, lease)
      await releaseLease(ledger, lease)
      expect(await renewLease(ledger, lease, { now: 1, duration })).toBeNull()
      expect(await acquire('two', 1)).toMatchObject({ holder: 'two', token: 2 })
    })
  })
}
