import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldTurns } from '../../../../web/components/dataset-row/row-parts.tsx'

test('nothing is lost or shown twice', () => {
  fc.assert(
    fc.property(fc.nat({ max: 60 }), fc.boolean(), (count, isContext) => {
      const turns = Array.from({ length: count }, (_, index) => index)
      const { first, hidden, last } = foldTurns(turns, isContext)
      expect(first.length + hidden + last.length).toBe(count)
      expect([...first, ...turns.slice(first.length, first.length + hidden), ...last]).toEqual(turns)
    }),
  )
})

test('of a prompt the end is kept, of a conversation all but what is very long', () => {
  expect(foldTurns([1, 2, 3, 4], true)).toEqual({ first: [], hidden: 2, last: [3, 4] })
  expect(foldTurns([1, 2, 3, 4], false).hidden).toBe(0)
})
