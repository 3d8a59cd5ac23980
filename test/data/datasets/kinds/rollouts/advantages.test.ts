import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AdvantageId,
  type AdvantageOptions,
  advantages,
} from '../../../../../shared/data/datasets/kinds/rollouts/advantages/advantages.ts'
import type { Branch, BranchStep } from '../../../../../shared/data/datasets/kinds/rollouts/branch.ts'
import { anyBranches } from './any-branches.ts'

const options: AdvantageOptions = { scale: 'std', discount: 0.9, lambda: 0.8, step_weight: 2 }

/**
 * Two trees of one task. The first forks after its first step, into a success and a failure; the second is a chain that
 * fails. State `s` is met by both.
 */
const branches: Branch[] = [
  branch(0, 1, [1, 's', 0, 0.5], [2, 't', 1, 0.75]),
  branch(0, 0, [1, 's', 0, 0.5], [3, 't', 0, 0.75]),
  branch(1, 0, [1, 's', 0, 0.25], [2, 'u', 0, 0]),
]

function branch(tree: number, reward: number, ...steps: [number, string, number, number][]): Branch {
  return {
    tree,
    reward,
    steps: steps.map(([node, state, share, value]) => ({ node, state, reward: share, value })),
  }
}

function close(found: number[][], wanted: number[][]): void {
  expect(found.map(({ length }) => length)).toEqual(wanted.map(({ length }) => length))
  for (const [place, value] of found.flat().entries())
    expect(value).toBeCloseTo(wanted.flat()[place] as number, 4)
}

const third = 1 / 3
// Standard deviations of samples: of 1, 0, 0 and of 1, 0.
const [of3, of2] = [Math.sqrt(third), Math.SQRT1_2]

test.each<[AdvantageId, number[][]]>([
  [
    'grpo',
    [
      [2 * third, 2 * third],
      [-third, -third],
      [-third, -third],
    ].map((row) => row.map((x) => x / of3)),
  ],
  [
    'rloo',
    [
      [1, 1],
      [-0.5, -0.5],
      [-0.5, -0.5],
    ],
  ],
  [
    'tree-grpo',
    [
      [(2 * third) / of3 + 0.5 / of2, (2 * third) / of3 + 0.5 / of2],
      [-third / of3 - 0.5 / of2, -third / of3 - 0.5 / of2],
      [-third / of3, -third / of3],
    ],
  ],
  // The first step leads to both leaves, so it is worth what the root is.
  [
    'treerl',
    [
      [0, 1],
      [0, -1],
      [0, 0],
    ],
  ],
  [
    'gigpo',
    [
      [(2 * third) / of3 + 2 * ((0.9 - 0.3) / (0.9 * of3)), (2 * third) / of3 + 2 * (0.5 / of2)],
      [-third / of3 + 2 * (-0.3 / (0.9 * of3)), -third / of3 + 2 * (-0.5 / of2)],
      [-third / of3 + 2 * (-0.3 / (0.9 * of3)), -third / of3],
    ],
  ],
  [
    'ppo',
    [
      [0.9 * 0.75 - 0.5 + 0.72 * 0.25, 0.25],
      [0.9 * 0.75 - 0.5 + 0.72 * -0.75, -0.75],
      [-0.25, 0],
    ],
  ],
])('%s gives the values of its equations', (id, wanted) => close(advantages[id](branches, options), wanted))

describe.each(Object.entries(advantages))('%s', (_, advantage) => {
  test('gives a finite number for each step, the same whatever the order of the branches', () => {
    fc.assert(
      fc.property(anyBranches, (all) => {
        const found = advantage(all, options)
        expect(found.map(({ length }) => length)).toEqual(all.map(({ steps }) => steps.length))
        expect(found.flat().every(Number.isFinite)).toBe(true)
        close(advantage(all.toReversed(), options).reverse(), found)
      }),
    )
  })
})

test('advantages by rewards alone sum to zero over the branches, and are zero if all rewards are equal', () => {
  fc.assert(
    fc.property(anyBranches, fc.constantFrom('grpo', 'rloo', 'tree-grpo'), (all, id) => {
      const first = (given: Branch[]) => advantages[id](given, options).map(([step]) => step as number)
      expect(first(all).reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 6)
      for (const value of first(all.map((each) => ({ ...each, reward: 0.5 }))))
        expect(value).toBeCloseTo(0, 9)
    }),
  )
})

test.each(['grpo', 'rloo', 'tree-grpo', 'treerl', 'gigpo'] as const)(
  'equal rewards give advantages of exactly 0 by %s, whatever their number and their division into steps',
  (id) => {
    const anyReward = fc.oneof(fc.constantFrom(0.3, 0.7), fc.double({ min: -100, max: 100, noNaN: true }))
    const anyShare = fc.oneof(fc.constant(0.1), fc.double({ min: 0, max: 1, noNaN: true }))
    fc.assert(
      fc.property(anyBranches, anyReward, anyShare, (all, reward, share) => {
        const even = all.map(({ steps: [first, last = first], tree }, branch): Branch => {
          const early = branch % 2 === 0 ? 0 : reward * share
          const steps = [
            { ...(first as BranchStep), state: 'start', reward: early },
            { ...(last as BranchStep), state: null, reward: reward - early },
          ]
          return { tree, reward, steps }
        })
        for (const value of advantages[id](even, { ...options, discount: 1 }).flat()) expect(value).toBe(0)
      }),
    )
  },
)

test('GiGPO without equal states is GRPO, and PPO with a λ of 1 and no values gives the rewards to come', () => {
  fc.assert(
    fc.property(anyBranches, (all) => {
      const stateless = all.map((each) => ({
        ...each,
        steps: each.steps.map((step) => ({ ...step, state: null, value: 0 })),
      }))
      close(advantages.gigpo(stateless, options), advantages.grpo(all, options))
      const sums = advantages.ppo(stateless, { ...options, discount: 1, lambda: 1 })
      close(
        sums,
        all.map(({ reward, steps }) => steps.map(() => reward)),
      )
    }),
  )
})

test('a state without a value is refused rather than taken for zero', () => {
  const unknown = branches.map((each) => ({
    ...each,
    steps: each.steps.map((step) => ({ ...step, value: null })),
  }))
  expect(() => advantages.ppo(unknown, options)).toThrow('has no value')
})
