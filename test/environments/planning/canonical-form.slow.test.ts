import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pddl } from '../../../shared/environments/pddl/pddl.ts'
import { createRobotProblems } from '../../../shared/environments/pddl/robot-problems.ts'
import { canonicalForm } from '../../../shared/environments/planning/canonical-form.ts'
import type { Formula } from '../../../shared/environments/planning/formula.ts'
import { type Problem, parseProblem } from '../../../shared/environments/planning/parse-problem.ts'
import { generated } from '../generate/play-generated.ts'

const problems = createRobotProblems(30)

// Few objects of two types and few facts, so that many problems have symmetries and many are alike.
const smallProblem = fc
  .record({
    rooms: fc.integer({ min: 1, max: 3 }),
    balls: fc.integer({ min: 1, max: 3 }),
    facts: fc.array(fc.tuple(fc.constantFrom('at', 'on', 'near'), fc.nat(5), fc.nat(5)), { maxLength: 6 }),
    goals: fc.array(fc.tuple(fc.boolean(), fc.nat(5), fc.nat(5)), { minLength: 1, maxLength: 3 }),
  })
  .map(({ rooms, balls, facts, goals }): Problem => {
    const objects = [
      ...Array.from({ length: rooms }, (_none, at) => ({ name: `r${at}`, types: ['room'] })),
      ...Array.from({ length: balls }, (_none, at) => ({ name: `b${at}`, types: ['ball'] })),
    ]
    const name = (number: number) => objects[number % objects.length]?.name as string
    return {
      ...{ name: 'p', domain: 'd', objects },
      initial: facts.map(([predicate, one, other]) => ({ predicate, terms: [name(one), name(other)] })),
      goal: {
        kind: 'and',
        parts: goals.map(([negated, one, other]) => ({
          ...{ kind: 'literal', predicate: 'at', negated, terms: [name(one), name(other)] },
        })),
      },
    }
  })

function renamed(problem: Problem, names: ReadonlyMap<string, string>): Problem {
  const of = (name: string) => names.get(name) ?? name
  const inGoal = (formula: Formula): Formula => {
    if (formula.kind === 'literal') return { ...formula, terms: formula.terms.map(of) }
    if (formula.kind === 'equal') return { ...formula, left: of(formula.left), right: of(formula.right) }
    if ('parts' in formula) return { ...formula, parts: formula.parts.map(inGoal) }
    return { ...formula, part: inGoal(formula.part) }
  }
  return {
    ...problem,
    objects: problem.objects.map((object) => ({ ...object, name: of(object.name) })),
    initial: problem.initial.map(({ predicate, terms }) => ({ predicate, terms: terms.map(of) })),
    goal: inGoal(problem.goal),
  }
}

// Exchanges names within each type, and writes objects, facts and goals in another order.
function shuffle(problem: Problem, order: (count: number) => number[]): Problem {
  const sorted = <Item>(items: readonly Item[]) => order(items.length).map((at) => items[at] as Item)
  const names = new Map<string, string>()
  for (const alike of Map.groupBy(problem.objects, ({ types }) => types.join()).values()) {
    for (const [at, { name }] of sorted(alike).entries()) names.set(alike[at]?.name as string, name)
  }
  const { goal, initial, objects, ...rest } = renamed(problem, names)
  const parts = goal.kind === 'and' ? { ...goal, parts: sorted(goal.parts) } : goal
  return { ...rest, objects: sorted(objects), initial: sorted(initial), goal: parts }
}

// An order of so many items for each call, by random numbers.
function ordersOf(draws: readonly number[]): (count: number) => number[] {
  let at = 0
  const next = () => draws[at++ % draws.length] as number
  return (count) =>
    Array.from({ length: count }, (_none, index) => [next(), index] as const)
      .sort(([one], [other]) => one - other)
      .map(([, index]) => index)
}

const orders = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 97, maxLength: 97 })

function permutations<Item>(items: readonly Item[]): Item[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, at) => permutations(items.toSpliced(at, 1)).map((rest) => [item, ...rest]))
}

function textOf({ goal, initial, objects }: Problem): string {
  const parts = goal.kind === 'and' ? goal.parts : []
  const lines = (items: readonly object[]) => [...new Set(items.map((item) => JSON.stringify(item)))].sort()
  return JSON.stringify([lines(objects), lines(initial), lines(parts)])
}

// Tries every renaming: slow, and obviously right.
function isRenaming(one: Problem, other: Problem): boolean {
  const typed = (problem: Problem, type: string) =>
    problem.objects.filter(({ types }) => types[0] === type).map(({ name }) => name)
  const wanted = textOf(other)
  return permutations(typed(one, 'room')).some((rooms) =>
    permutations(typed(one, 'ball')).some((balls) => {
      const from = [...typed(one, 'room'), ...typed(one, 'ball')]
      const names = new Map([...rooms, ...balls].map((name, at) => [from[at] as string, name]))
      return textOf(renamed(one, names)) === wanted
    }),
  )
}

describe('the canonical form', () => {
  test('is the same after any renaming, and in any order', () => {
    fc.assert(
      fc.property(smallProblem, orders, (problem, draws) => {
        expect(canonicalForm(shuffle(problem, ordersOf(draws)))).toBe(canonicalForm(problem))
      }),
    )
  })

  test('differs exactly if no renaming makes one problem of the other', () => {
    fc.assert(
      fc.property(smallProblem, smallProblem, fc.nat(), orders, (one, two, which, draws) => {
        const { initial } = one
        const near = { ...one, initial: initial.toSpliced(which % (initial.length + 1), 1) }
        for (const other of [two, near, shuffle(near, ordersOf(draws))]) {
          const isSame = one.objects.length === other.objects.length && isRenaming(one, other)
          expect(canonicalForm(one) === canonicalForm(other)).toBe(isSame)
        }
      }),
    )
  })

  test('holds for problems of every domain, those with many interchangeable objects too', async () => {
    const made = [
      'gripper@2/rooms-10-balls-6-resting-4/123456789',
      'gripper@2/rooms-2-balls-8-resting-4/7',
      'blockworld@2/blocks-8/987654321',
      ...pddl
        .tasks()
        .filter((_task, at) => at % 20 === 0)
        .map(({ id }) => id),
    ]
    const opened = await Promise.all(made.map((id) => problems.load(id)))
    const forms = opened.map(({ problem }) => canonicalForm(problem))
    expect(new Set(forms).size).toBe(made.length)
    fc.assert(
      fc.property(fc.nat(opened.length - 1), orders, (at, draws) => {
        const { problem } = opened[at] as (typeof opened)[number]
        expect(canonicalForm(shuffle(problem, ordersOf(draws)))).toBe(forms[at])
      }),
    )
  })

  test('tells a goal with or, exists and constants of the domain apart by its objects', () => {
    const goal = (text: string) =>
      canonicalForm(
        parseProblem(
          `(define (problem p) (:domain d) (:objects a b - ball) (:init (at a home)) (:goal ${text}))`,
        ),
      )
    expect(goal('(or (at a yard) (at b home))')).toBe(goal('(or (at a yard) (at b home))'))
    expect(goal('(or (at a yard) (at b home))')).not.toBe(goal('(or (at b yard) (at a home))'))
    expect(goal('(at a yard)')).not.toBe(goal('(at a home)'))
    expect(goal('(exists (?x - ball) (on ?x a))')).not.toBe(goal('(exists (?x - ball) (on ?x b))'))
  })
})

describe('version 2 of the generators', () => {
  const sizes = { max_balls: 2, min_rooms: 4, max_rooms: 6 }
  const ask = { generator: 'gripper', seed: 1, ...sizes }
  const formsOf = async (split: 'train' | 'dev' | 'test', count: number, version?: number) => {
    const tasks = await generated(pddl, { ...ask, count, split, ...(version && { version }) })
    return Promise.all(tasks.map(async ({ id }) => (await pddl.formOf?.(id)) as string))
  }

  test('shares no form between splits, where version 1 shares nearly all', async () => {
    const [train, dev, test] = await Promise.all([
      formsOf('train', 1000),
      formsOf('dev', 60),
      formsOf('test', 300),
    ])
    const trained = new Set(train)
    expect([...dev, ...test].filter((form) => trained.has(form))).toEqual([])
    expect(dev.filter((form) => test.includes(form))).toEqual([])
    const builtin = new Set(await Promise.all(pddl.tasks().map(async ({ id }) => pddl.formOf?.(id))))
    expect([...train, ...test].filter((form) => builtin.has(form))).toEqual([])
    const [before, held] = await Promise.all([formsOf('train', 1000, 1), formsOf('test', 300, 1)])
    const seen = new Set(before)
    expect(held.filter((form) => seen.has(form)).length).toBeGreaterThan(290)
  })

  test('makes the problems of version 1 under new ids', async () => {
    for (const name of [
      'gripper@1/rooms-4-balls-2-resting-0/417',
      'barman@1/drinks-2-ingredients-4-cocktails-3/99999',
    ]) {
      const [one, two] = await Promise.all([problems.load(name), problems.load(name.replace('@1', '@2'))])
      expect(two.problem).toEqual(one.problem)
    }
  })
})
