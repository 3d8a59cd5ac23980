import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import { branchingAt, type GroupingOptions, groupProposals } from '../../../shared/play/search/proposals.ts'

const options: GroupingOptions = { branching: 5, choose: 'best', random: seededRandom('groups') }
const propose = (...actions: string[]) =>
  actions.map((action, sample) => ({ action, message: `Action: sample ${sample}` }))
const pick = (actions: string[], changes: Partial<GroupingOptions>) =>
  groupProposals(propose(...actions), { ...options, ...changes }).map(({ proposal }) => proposal.action)

test('equal actions are one proposal, whose prior is its share of the samples', () => {
  const groups = groupProposals(propose('look', 'go north', ' go  north ', 'Look', 'go\tnorth'), options)
  // go north 3 of 5, look 1 of 5, Look 1 of 5: case distinguishes actions, white space does not
  expect(groups).toEqual([
    {
      proposal: { action: 'go north', message: 'Action: sample 1' },
      count: 3,
      prior: expect.closeTo(3 / 5, 12),
    },
    { proposal: { action: 'look', message: 'Action: sample 0' }, count: 1, prior: expect.closeTo(1 / 5, 12) },
    { proposal: { action: 'Look', message: 'Action: sample 3' }, count: 1, prior: expect.closeTo(1 / 5, 12) },
  ])
})

test('the most frequent are kept, of equals the first seen, and share the prior among them', () => {
  const groups = groupProposals(propose('c', 'a', 'b', 'a', 'b', 'a', 'd'), { ...options, branching: 3 })
  // Kept: a 3, b 2, c 1; 3 / 6, 2 / 6, 1 / 6
  expect(groups.map(({ proposal }) => proposal.action)).toEqual(['a', 'b', 'c'])
  expect(groups.map(({ prior }) => prior)).toEqual(
    [3 / 6, 2 / 6, 1 / 6].map((share) => expect.closeTo(share, 12)),
  )
})

test('a temperature evens the priors out, worked by hand', () => {
  const priors = groupProposals(propose('a', 'a', 'a', 'a', 'b'), { ...options, temperature: 2 }).map(
    ({ prior }) => prior,
  )
  // softmax(ln(4/5) / 2, ln(1/5) / 2) = (√0.8, √0.2) / (√0.8 + √0.2) = (2/3, 1/3)
  expect(priors[0]).toBeCloseTo(2 / 3, 12)
  expect(priors[1]).toBeCloseTo(1 / 3, 12)
})

test('empty actions are no proposals while there are others, and one without prior when there are none', () => {
  expect(groupProposals(propose('', ' ', 'a'), options)).toEqual([
    { proposal: { action: 'a', message: 'Action: sample 2' }, count: 1, prior: 1 },
  ])
  expect(groupProposals(propose('', ' '), options)).toEqual([
    { proposal: { action: '', message: 'Action: sample 0' }, count: 2, prior: 0 },
  ])
  expect(groupProposals([], options)).toEqual([])
})

test('a sample prefers the frequent, a random choice does not', () => {
  const actions = [...Array.from({ length: 9 }, () => 'often'), 'once']
  const share = (choose: 'sample' | 'random') => {
    const random = seededRandom('share', choose)
    const firsts = Array.from({ length: 2000 }, () => pick(actions, { branching: 1, choose, random })[0])
    return firsts.filter((action) => action === 'often').length / 2000
  }
  // 9 of 10, and 1 of 2; four standard errors are 0.027 and 0.045
  expect(Math.abs(share('sample') - 0.9)).toBeLessThan(0.027)
  expect(Math.abs(share('random') - 0.5)).toBeLessThan(0.045)
})

test('what is drawn without replacement has the odds of the draws one after the other', () => {
  const random = seededRandom('odds')
  const pairs = Array.from({ length: 4000 }, () =>
    pick(['a', 'a', 'b', 'c'], { branching: 2, choose: 'sample', random }).join(''),
  )
  // b and c: first b (1/4), then c out of a a c (1/3), or the other way round: 2 · 1/12 = 1/6; four standard errors 0.024
  expect(Math.abs(pairs.filter((pair) => pair === 'bc').length / 4000 - 1 / 6)).toBeLessThan(0.024)
})

test('a choice is the same for the same seed', () => {
  const actions = Array.from({ length: 30 }, (_, index) => `action ${index % 12}`)
  for (const choose of ['sample', 'random'] as const) {
    const drawn = (seed: number) => pick(actions, { choose, random: seededRandom(seed) })
    expect(drawn(1)).toEqual(drawn(1))
    expect(new Set([1, 2, 3, 4].map((seed) => drawn(seed).join())).size).toBeGreaterThan(1)
  }
})

test('whatever is proposed: as many groups as allowed, each once, frequent first, priors that sum to 1', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', ' a', ''), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 6 }),
      fc.constantFrom('best' as const, 'sample' as const, 'random' as const),
      fc.double({ min: 0.1, max: 10, noNaN: true }),
      fc.integer(),
      (actions, branching, choose, temperature, seed) => {
        const groups = groupProposals(propose(...actions), {
          branching,
          choose,
          temperature,
          random: seededRandom(seed),
        })
        const different = new Set(actions.map((action) => action.trim()).filter((action) => action !== ''))
        expect(groups).toHaveLength(Math.max(1, Math.min(branching, different.size)))
        expect(new Set(groups.map(({ proposal }) => proposal.action.trim())).size).toBe(groups.length)
        const counts = groups.map(({ count }) => count)
        expect(counts).toEqual(counts.toSorted((one, other) => other - one))
        const total = groups.reduce((sum, { prior }) => sum + prior, 0)
        expect(total).toBeCloseTo(different.size === 0 ? 0 : 1, 12)
      },
    ),
  )
})

test('the order of the samples changes neither counts nor priors', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 20 }), (actions) => {
      const priors = (order: string[]) =>
        Object.fromEntries(
          groupProposals(propose(...order), options).map(({ proposal, count, prior }) => [
            proposal.action,
            [count, expect.closeTo(prior, 12)],
          ]),
        )
      const reversed = groupProposals(propose(...actions.toReversed()), options)
      expect(
        Object.fromEntries(reversed.map(({ proposal, count, prior }) => [proposal.action, [count, prior]])),
      ).toEqual(priors(actions))
    }),
  )
})

describe('the number of children of a node', () => {
  const at = (branching: number, coefficient = 1) =>
    [0, 1, 2, 3, 4].map((depth) => branchingAt(depth, { branching, schedule: 'decaying', coefficient }))

  test('a constant branching is the same at every depth', () => {
    expect(branchingAt(7, { branching: 5, schedule: 'constant', coefficient: 1 })).toBe(5)
  })

  test('a decaying one halves each level down to 2, worked by hand', () => {
    // 10 · exp(−ln 2 · d): 10, 5, 2.5, 1.25, 0.625; truncated, at least 2
    expect(at(10)).toEqual([10, 5, 2, 2, 2])
    // Coefficient 2 halves every second level: 12, 12/√2 = 8.49, 6, 4.24, 3
    expect(at(12, 2)).toEqual([12, 8, 6, 4, 3])
  })

  test('whole numbers are not lost to rounding', () => {
    expect(at(64)).toEqual([64, 32, 16, 8, 4])
  })

  test('one child stays one child', () => {
    expect(at(1)).toEqual([1, 1, 1, 1, 1])
  })

  test('it never grows on the way down, and is never more than at the root', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 0, max: 50 }),
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        (branching, depth, coefficient) => {
          const options = { branching, schedule: 'decaying', coefficient } as const
          expect(branchingAt(0, options)).toBe(branching)
          expect(branchingAt(depth + 1, options)).toBeLessThanOrEqual(branchingAt(depth, options))
          expect(branchingAt(depth, options)).toBeGreaterThanOrEqual(Math.min(2, branching))
        },
      ),
    )
  })
})
