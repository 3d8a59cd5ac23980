import fc from 'fast-check'
import type { Branch } from '../../../../../shared/data/datasets/kinds/rollouts/branch.ts'

/** Branches of up to four trees of one task, with states in common. */
export const anyBranches = fc
  .array(
    fc.record({
      tree: fc.nat(3),
      path: fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
      reward: fc.constantFrom(0, 0.25, 0.5, 1),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) =>
    parts.map(
      ({ path, reward, tree }): Branch => ({
        tree,
        reward,
        steps: path.map((_, place) => ({
          node: nodeOf(path.slice(0, place + 1)),
          state: place === 0 ? 'start' : path.slice(0, place).toSorted().join(''),
          reward: place === path.length - 1 ? reward : 0,
          value: nodeOf(path.slice(0, place)) % 7,
        })),
      }),
    ),
  )

// A number of its own for each path.
function nodeOf(path: readonly number[]): number {
  return path.reduce((sum, choice) => sum * 4 + choice + 1, 0)
}
