import { expect, it } from 'vitest'
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
