import { expect, test } from 'vitest'
import { chooseKinds, type KindId, kindOf, kinds } from '../../chaos/kinds.ts'
import { makePlans } from '../../chaos/plans.ts'
import { type Step, schedule } from '../../chaos/schedule.ts'

const every = kinds.map(({ id }) => id)

function firstSteps(seed: number, chosen: readonly KindId[], count: number): Step[] {
  const steps = schedule(seed, chosen)
  return Array.from({ length: count }, () => steps.next().value)
}

test('a seed repeats its schedule and its plans, and another seed has others', () => {
  const steps = (seed: number) => firstSteps(seed, every, 200)
  expect(steps(7)).toEqual(steps(7))
  expect(steps(7)).not.toEqual(steps(8))
  expect(makePlans(7, 8)).toEqual(makePlans(7, 8))
  expect(makePlans(7, 8)).not.toEqual(makePlans(8, 8))
})

test('every disturbance comes, none that was not chosen, and each lasts as long as it may', () => {
  const steps = firstSteps(1, every, 3000)
  expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(every))
  for (const { kind, lasts } of steps) {
    const [least, most] = kindOf(kind).lasts ?? [0, 0]
    expect(lasts).toBeGreaterThanOrEqual(least * 1000)
    expect(lasts).toBeLessThanOrEqual(most * 1000)
  }
  const queues = chooseKinds(['queue'])
  expect(queues).toEqual(['duplicates', 'reorder'])
  expect(new Set(firstSteps(1, queues, 100).map(({ kind }) => kind))).toEqual(new Set(queues))
})

test('kinds are chosen by their names and their groups, and an unknown name is refused with those that there are', () => {
  expect(chooseKinds(['clock', 'kill-host'])).toEqual(['kill-host', 'clock'])
  expect(() => chooseKinds(['earthquake'])).toThrow(/no disturbance earthquake.*kill-worker/)
})

test('the plans of every seed have searches, memories in rounds, learned actions, programs, hosted sessions, an extension and a retry', () => {
  for (const seed of [1, 2, 3]) {
    const plans = makePlans(seed, 10)
    const methods = plans.map(({ request }) => request.method?.id)
    expect(methods).toEqual(expect.arrayContaining(['react', 'mcts', 'rmcts', 'learnact', 'code-as-policy']))
    expect(plans.some(({ request }) => request.hosting === 'host')).toBe(true)
    const next = plans.flatMap((plan) => Object.keys(plan.next ?? {}))
    expect(next.toSorted()).toEqual(['extend', 'retry'])
  }
})
