import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shareConcurrency } from '../../infra/concurrency.ts'

/** What the smallest feeds take: three of two each. */
const leastFeeds = 6

test('the queues together stay below the quota, and leave something for the API', () => {
  const quotas = fc.integer({ min: 10, max: 5000 })
  fc.assert(
    fc.property(quotas, fc.integer({ min: 2, max: 1000 }), fc.boolean(), (quota, most, hasHosts) => {
      const shares = shareConcurrency(most, quota, hasHosts)
      expect(shares.episodes).toBeGreaterThanOrEqual(2)
      expect(shares.episodes).toBeLessThanOrEqual(most)
      expect(shares.few).toBeGreaterThanOrEqual(2)
      // Calls of hosts are executions too, but for the smallest quotas, where the least of feeds takes what there is.
      if (!hasHosts || quota >= 20) {
        expect(shares.taken).toBeLessThan(quota)
        expect(shares.left).toBe(quota - shares.taken)
        expect(shares.left).toBeGreaterThanOrEqual(Math.max(2, quota / 5))
      }
    }),
  )
})

test('in a new account the sweeper takes the dead letters, and streams cannot take what is left', () => {
  const shares = shareConcurrency(50, 10, false)
  expect(shares).toMatchObject({ episodes: 2, few: 2, feedsDeadLetters: false, taken: leastFeeds, left: 4 })
  expect(shares.streams).toEqual({ rate: 0.1, burst: 1 })
  expect(shares.requests).toEqual({ rate: 8, burst: 5 })
  expect(shares.open).toEqual({
    short: { rate: 2, burst: 1 },
    files: { rate: 0.2, burst: 5 },
    pages: { rate: 2, burst: 50 },
  })
})

test('an account with the usual quota plays with as many workers as are usual, each with its calls of hosts', () => {
  const shares = shareConcurrency(50, 1000, true)
  expect(shares).toMatchObject({ episodes: 50, few: 5, feedsDeadLetters: true, hostCalls: 10 })
  expect(shares.requests).toEqual({ rate: 100, burst: 200 })
  expect(shares.open).toEqual({
    short: { rate: 2, burst: 5 },
    files: { rate: 0.2, burst: 20 },
    pages: { rate: 2, burst: 200 },
  })
  expect(shareConcurrency(1000, 1000, true).episodes).toBeLessThan(1000)
  expect(shareConcurrency(1000, null, true)).toMatchObject({ episodes: 1000, left: null })
})
