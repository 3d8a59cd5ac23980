import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Contender, pairUp } from '../../../../shared/data/datasets/kinds/pair-up.ts'
import { says, sees } from '../../../builders/trees.ts'

const rules = { margin: 0, maxExtraMessages: 10 }

const explored: Contender = { reward: 0.4, isExpert: false, head: [sees('explore')], turns: [says('a')] }
const expert: Contender = { reward: 0.6, isExpert: true, head: [sees('follow')], turns: [says('b')] }

const anyContender: fc.Arbitrary<Contender> = fc
  .record({
    reward: fc.option(fc.constantFrom(0, 0.25, 0.5, 1)),
    isExpert: fc.boolean(),
    length: fc.nat(30),
    name: fc.string(),
  })
  .map(({ length, name, ...rest }) => ({
    ...rest,
    head: [sees(name)],
    turns: Array.from({ length }, (_, place) => (place % 2 === 0 ? says : sees)(`${name} ${place}`)),
  }))

describe('a pair', () => {
  test('has the prompt of its better side, whichever comes first', () => {
    const row = { type: 'preference', prompt: [sees('follow')], chosen: [says('b')], rejected: [says('a')] }
    expect(pairUp(explored, expert, rules)).toEqual({ better: expert, worse: explored, row })
    expect(pairUp(expert, explored, rules)).toEqual({ better: expert, worse: explored, row })
  })

  test('ends on the model: an explored side loses what came after, an expert’s makes no pair', () => {
    const open = [says('a'), sees('late')]
    expect(pairUp({ ...explored, turns: open }, expert, rules)?.row.rejected).toEqual([says('a')])
    expect(pairUp(explored, { ...expert, turns: open }, rules)).toBeNull()
    expect(pairUp({ ...explored, turns: [sees('late')] }, expert, rules)).toBeNull()
  })

  test('needs two known rewards that differ by more than the margin', () => {
    expect(pairUp({ ...explored, reward: null }, expert, rules)).toBeNull()
    expect(pairUp({ ...explored, reward: 0.6 }, expert, rules)).toBeNull()
    expect(
      pairUp({ ...explored, reward: 0.5 }, { ...expert, reward: 1 }, { ...rules, margin: 0.5 }),
    ).toBeNull()
    expect(
      pairUp({ ...explored, reward: 0.5 }, { ...expert, reward: 1 }, { ...rules, margin: 0.4 }),
    ).not.toBeNull()
  })

  test('is the same from either side, and no explored side is rejected at greater length than allowed', () => {
    fc.assert(
      fc.property(anyContender, anyContender, fc.nat(6), (left, right, half) => {
        const maxExtraMessages = 2 * half
        const pair = pairUp(left, right, { margin: 0, maxExtraMessages })
        expect(pairUp(right, left, { margin: 0, maxExtraMessages })).toEqual(pair)
        if (pair === null) return
        const { row, better, worse } = pair
        expect((better.reward ?? 0) - (worse.reward ?? 0)).toBeGreaterThan(0)
        for (const side of [row.chosen, row.rejected]) {
          expect([side[0]?.role, side.at(-1)?.role]).toEqual(['assistant', 'assistant'])
        }
        expect(worse.turns.slice(0, row.rejected.length)).toEqual(row.rejected)
        if (worse.isExpert) expect(row.rejected).toEqual(worse.turns)
        else expect(row.rejected.length).toBeLessThanOrEqual(row.chosen.length + maxExtraMessages)
      }),
    )
  })
})
