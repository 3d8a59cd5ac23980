import { describe, expect, it } from 'vitest'
import { AddressPool } from '../../../shared/play/models/address-pool.ts'

it('takes the address with the fewest calls in flight, in turn among equals', () => {
  const pool = new AddressPool(['a', 'b', 'c'], () => 0)
  const leases = [pool.lend(), pool.lend(), pool.lend(), pool.lend()]
  expect(leases.map(({ client }) => client)).toEqual(['a', 'b', 'c', 'a'])
  leases[2]?.release('reached')
  expect(pool.lend().client).toBe('c')
})

it('leaves an address out for ten seconds after it refused a connection', () => {
  let now = 0
  const pool = new AddressPool(['a', 'b'], () => now)
  pool.lend().release('unreachable')
  expect([1, 2, 3].map(() => pool.lend().client)).toEqual(['b', 'b', 'b'])
  now = 10_000
  expect(pool.lend().client).toBe('a')
})

it('tries the address that was left out longest when all are', () => {
  let now = 0
  const pool = new AddressPool(['a', 'b'], () => now)
  pool.lend().release('unreachable')
  now = 5000
  expect(pool.reachable).toBe(true)
  pool.lend().release('unreachable')
  expect(pool.reachable).toBe(false)
  expect(pool.lend().client).toBe('a')
})

describe('calls of one affinity', () => {
  it('stay at one address, and new ones are spread', () => {
    const pool = new AddressPool(['a', 'b'], () => 0)
    const ask = (affinity: string) => {
      const { client, release } = pool.lend(affinity)
      release('reached')
      return client
    }
    const first = ['one', 'two', 'three', 'four'].map(ask)
    expect(first.toSorted()).toEqual(['a', 'a', 'b', 'b'])
    for (let round = 0; round < 5; round++) {
      pool.lend().release('reached')
      expect(['one', 'two', 'three', 'four'].map(ask)).toEqual(first)
    }
  })

  it('move when their address fails or is unreachable, and stay where they went', () => {
    let now = 0
    for (const outcome of ['failing', 'unreachable'] as const) {
      const pool = new AddressPool(['a', 'b', 'c'], () => now)
      const lease = pool.lend('one')
      lease.release(outcome)
      const { client } = pool.lend('one')
      expect(client).not.toBe(lease.client)
      now += 20_000
      expect(pool.lend('one').client).toBe(client)
    }
  })

  it('have nowhere to go in a pool of one', () => {
    const pool = new AddressPool(['a'], () => 0)
    for (const outcome of ['failing', 'unreachable', 'reached'] as const) {
      const { client, release } = pool.lend('one')
      expect(client).toBe('a')
      release(outcome)
    }
  })
})
