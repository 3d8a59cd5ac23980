import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alignSteps } from '../../../../web/pages/compare-episodes/align-steps.ts'

const actions = fc.array(
  fc.constantFrom('look', 'take cup', 'take mug', 'open drawer 1', 'open drawer 2', ''),
  {
    maxLength: 12,
  },
)

const positions = (list: readonly string[]) => list.map((_, at) => at)

describe('two trajectories', () => {
  test('have each of their steps in one row, in order, and no row is empty', () => {
    fc.assert(
      fc.property(actions, actions, (left, right) => {
        const rows = alignSteps(left, right)
        expect(rows.flatMap((row) => row.left ?? [])).toEqual(positions(left))
        expect(rows.flatMap((row) => row.right ?? [])).toEqual(positions(right))
        expect(rows.filter((row) => row.left === null && row.right === null)).toEqual([])
      }),
    )
  })

  test('that are equal stand beside each other step by step', () => {
    fc.assert(
      fc.property(actions, (list) => {
        expect(alignSteps(list, list)).toEqual(positions(list).map((at) => ({ left: at, right: at })))
      }),
    )
  })

  test('give the same rows whichever is on the left', () => {
    fc.assert(
      fc.property(actions, actions, (left, right) => {
        const swapped = alignSteps(right, left).map((row) => ({ left: row.right, right: row.left }))
        expect(alignSteps(left, right)).toEqual(swapped)
      }),
    )
  })

  test('share rows for as many equal actions as they have in one order', () => {
    fc.assert(
      fc.property(actions, actions, (left, right) => {
        const equal = alignSteps(left, right).filter(
          (row) => row.left !== null && row.right !== null && left[row.left] === right[row.right],
        )
        expect(equal.length).toBeGreaterThanOrEqual(longestByTrying(left, right))
      }),
    )
  })

  test('of which one is the other with steps left out show these beside empty cells', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3).map(String), fc.boolean())), (marked) => {
        const left = marked.map(([action]) => action)
        const right = marked.flatMap(([action, isKept]) => (isKept ? [action] : []))
        const rows = alignSteps(left, right)
        expect(rows).toHaveLength(left.length)
        expect(rows.every((row) => row.right === null || left[row.left ?? -1] === right[row.right])).toBe(
          true,
        )
      }),
    )
  })
})

test('between equal steps, those pair that share the most words', () => {
  const rows = alignSteps(
    ['look', 'take the blue cup', 'end'],
    ['look', 'open the drawer', 'take the red cup', 'wait', 'end'],
  )
  expect(rows).toEqual([
    { left: 0, right: 0 },
    { left: null, right: 1 },
    { left: 1, right: 2 },
    { left: null, right: 3 },
    { left: 2, right: 4 },
  ])
})

/** How long the longest common subsequence is, by every way of leaving items out of the shorter rests. */
function longestByTrying(left: readonly string[], right: readonly string[]): number {
  const known = new Map<string, number>()
  const from = (one: number, other: number): number => {
    if (one === left.length || other === right.length) return 0
    const key = `${one} ${other}`
    const found =
      known.get(key) ??
      Math.max(
        from(one + 1, other),
        from(one, other + 1),
        left[one] === right[other] ? 1 + from(one + 1, other + 1) : 0,
      )
    known.set(key, found)
    return found
  }
  return from(0, 0)
}
