import fc from 'fast-check'
import { expect, test } from 'vitest'
import { availableMemory, memoryVariable } from '../../../shared/core/programs/available-memory.ts'

const gibibyte = 2 ** 30

test('in Fargate the container, not the microVM, is the limit', () => {
  const microVm = { total: 4 * gibibyte, constrained: 2 ** 63 }
  expect(availableMemory({ [memoryVariable]: '2048' }, microVm)).toBe(2 * gibibyte)
  expect(availableMemory({}, microVm)).toBe(4 * gibibyte)
})

test('it is the least of all limits', () => {
  const mebibytes = fc.integer({ min: 64, max: 1e6 })
  fc.assert(
    fc.property(mebibytes, mebibytes, fc.option(mebibytes), (total, constrained, declared) => {
      const variables = declared === null ? {} : { [memoryVariable]: String(declared) }
      const here = { total: total * 2 ** 20, constrained: constrained * 2 ** 20 }
      const least = Math.min(total, constrained, declared ?? Number.POSITIVE_INFINITY) * 2 ** 20
      expect(availableMemory(variables, here)).toBe(least)
    }),
  )
})

test('no control group is no limit', () => {
  expect(availableMemory({}, { total: gibibyte, constrained: 0 })).toBe(gibibyte)
})

test.each(['', '0', '2G', '-1', '63', '1e4', '2048.5', ' 2048'])('the size %j is refused by name', (size) => {
  expect(() => availableMemory({ [memoryVariable]: size })).toThrow(
    expect.objectContaining({ code: 'invalid_request', param: memoryVariable }),
  )
})
