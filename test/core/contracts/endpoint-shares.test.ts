import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endpointAt, endpointShares } from '../../../shared/core/contracts/endpoint-shares.ts'

test('one endpoint is a pool of itself, and a share is 1 unless named', () => {
  expect(endpointShares('openai')).toEqual([{ endpoint: 'openai', share: 1 }])
  expect(endpointShares('openai=2, azure')).toEqual([
    { endpoint: 'openai', share: 2 },
    { endpoint: 'azure', share: 1 },
  ])
})

test('of as many episodes in a row as all shares together, each endpoint gets its share', () => {
  const pools = fc.uniqueArray(
    fc.record({ endpoint: fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/), share: fc.integer({ min: 1, max: 9 }) }),
    {
      selector: ({ endpoint }) => endpoint,
      minLength: 1,
      maxLength: 6,
    },
  )
  fc.assert(
    fc.property(pools, fc.nat(10_000), (pool, start) => {
      const named = pool.map(({ endpoint, share }) => `${endpoint}=${share}`).join(',')
      const all = pool.reduce((sum, { share }) => sum + share, 0)
      const played = Array.from({ length: all }, (_, index) => endpointAt(named, start + index))
      for (const { endpoint, share } of pool)
        expect(played.filter((each) => each === endpoint)).toHaveLength(share)
    }),
  )
})

test.each([
  ['openai,', 'has ""'],
  ['openai=0', '"openai=0"'],
  ['openai=1.5,azure', '"openai=1.5"'],
  ['openai=1000', '"openai=1000"'],
  ['openai,azure,openai', 'names an endpoint twice'],
  [Array.from({ length: 17 }, (_, index) => `e${index}`).join(), 'more than 16'],
])('%s is refused, with the field and an example', (named, why) => {
  expect(() => endpointShares(named, 'roles.value.endpoint')).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      param: 'roles.value.endpoint',
      message: expect.stringContaining(why),
    }),
  )
})
