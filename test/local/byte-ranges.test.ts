import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRange } from '../../local/file-route.ts'

test.each([
  ['bytes=0-3', { start: 0, end: 3 }],
  ['bytes=4-', { start: 4, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-30', { start: 0, end: 9 }],
  ['bytes=8-30', { start: 8, end: 9 }],
  ['bytes=9-9', { start: 9, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-12', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  [undefined, null],
  ['bytes=-', null],
  ['bytes=3-2', null],
  ['bytes=0-1,4-5', null],
  ['lines=0-3', null],
])('of ten bytes %s is %j', (header, range) => {
  expect(readRange(header, 10)).toEqual(range)
})

test('an empty body has no range', () => {
  expect(readRange('bytes=0-', 0)).toBe('unsatisfiable')
  expect(readRange('bytes=-1', 0)).toBe('unsatisfiable')
})

test('a range never leaves the body', () => {
  const bound = fc.option(fc.nat(50), { nil: '' })
  fc.assert(
    fc.property(bound, bound, fc.nat(40), (from, to, size) => {
      const range = readRange(`bytes=${from}-${to}`, size)
      if (range === null || range === 'unsatisfiable') return
      expect(range.start).toBeGreaterThanOrEqual(0)
      expect(range.start).toBeLessThanOrEqual(range.end)
      expect(range.end).toBeLessThan(size)
    }),
  )
})
