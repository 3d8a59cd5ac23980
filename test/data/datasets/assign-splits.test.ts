import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignSplits, type TaskPrompt } from '../../../shared/data/datasets/assign-splits.ts'

const pairs = fc.array(
  fc.record({ task: fc.nat(60).map((each) => `t${each}`), prompt: fc.nat(90).map((each) => `p${each}`) }),
  { maxLength: 150 },
)
const shares = fc
  .array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 })
  .map((weights) => sharesOf(weights))

function sharesOf(weights: number[]): Record<string, number> {
  const total = weights.reduce((sum, each) => sum + each)
  return Object.fromEntries(weights.map((each, index) => [`split${index}`, each / total]))
}

function sizes(splitOf: Map<string, string>): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const split of splitOf.values()) counts[split] = (counts[split] ?? 0) + 1
  return counts
}

/** Tasks that are bound to one another, found the slow way: by spreading until nothing changes. */
function boundGroups(all: TaskPrompt[]): string[][] {
  let groups = [...new Set(all.map(({ task }) => task))].map((task) => [task])
  for (const prompt of new Set(all.map((pair) => pair.prompt))) {
    const sharing = new Set(all.filter((pair) => pair.prompt === prompt).map(({ task }) => task))
    const met = groups.filter((group) => group.some((task) => sharing.has(task)))
    groups = [...groups.filter((group) => !met.includes(group)), met.flat()]
  }
  return groups
}

test('every task is in one split, and no prompt is in two', () => {
  fc.assert(
    fc.property(pairs, shares, fc.nat(), (all, wanted, seed) => {
      const splitOf = assignSplits(all, wanted, seed)
      expect([...splitOf.keys()].toSorted()).toEqual([...new Set(all.map(({ task }) => task))].toSorted())
      const ofPrompt = new Map<string, string | undefined>()
      for (const { task, prompt } of all) {
        expect(wanted).toHaveProperty(splitOf.get(task) ?? '')
        expect(ofPrompt.get(prompt) ?? splitOf.get(task)).toBe(splitOf.get(task))
        ofPrompt.set(prompt, splitOf.get(task))
      }
    }),
  )
})

test('the order of the pairs, and how often they come, changes nothing', () => {
  fc.assert(
    fc.property(
      pairs.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all)),
      ),
      shares,
      fc.nat(),
      ([all, shuffled, again], wanted, seed) => {
        const expected = Object.fromEntries(assignSplits(all, wanted, seed))
        expect(Object.fromEntries(assignSplits([...again, ...shuffled], wanted, seed))).toEqual(expected)
      },
    ),
  )
})

test('shares are met to less than the largest group, where each is larger than that', () => {
  fc.assert(
    fc.property(pairs, shares, fc.nat(), (all, wanted, seed) => {
      const groups = boundGroups(all)
      const total = groups.flat().length
      const largest = Math.max(0, ...groups.map((group) => group.length))
      fc.pre(Object.values(wanted).every((share) => share * total >= largest))
      const has = sizes(assignSplits(all, wanted, seed))
      for (const [split, share] of Object.entries(wanted)) {
        expect(Math.abs((has[split] ?? 0) - share * total)).toBeLessThan(Math.max(largest, 1e-9))
      }
    }),
  )
})

test('every split has a task as long as there are groups enough, however small its share', () => {
  fc.assert(
    fc.property(pairs, shares, fc.nat(), (all, wanted, seed) => {
      const count = Object.keys(wanted).length
      const filled = Object.keys(sizes(assignSplits(all, wanted, seed))).length
      expect(filled).toBe(Math.min(count, boundGroups(all).length))
    }),
  )
  const twenty = Array.from({ length: 20 }, (_, index) => ({ task: `t${index}`, prompt: `p${index}` }))
  expect(sizes(assignSplits(twenty, { train: 0.999, test: 0.001 }, 0))).toEqual({ train: 19, test: 1 })
})

test('another seed gives another division', () => {
  const tasks = Array.from({ length: 100 }, (_, index) => ({ task: `t${index}`, prompt: `p${index}` }))
  const wanted = { train: 0.8, validation: 0.2 }
  const [first, second] = [1, 2].map((seed) => Object.fromEntries(assignSplits(tasks, wanted, seed)))
  expect(first).not.toEqual(second)
  expect(sizes(assignSplits(tasks, wanted, 1))).toEqual({ train: 80, validation: 20 })
})

test('a chain of shared prompts a hundred thousand long is one group', () => {
  const chain = Array.from({ length: 100_000 }, (_, index) => [
    { task: `t${index}`, prompt: `p${index}` },
    { task: `t${index}`, prompt: `p${index + 1}` },
  ]).flat()
  expect(sizes(assignSplits(chain, { train: 0.5, test: 0.5 }, 0))).toEqual({ test: 100_000 })
})
