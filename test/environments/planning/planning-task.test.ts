import { describe, expect, test } from 'vitest'
import { parseDomain } from '../../../shared/environments/planning/parse-domain.ts'
import { parseProblem } from '../../../shared/environments/planning/parse-problem.ts'
import { createPlanningTask } from '../../../shared/environments/planning/planning-task.ts'

const house = `(define (domain house)
  (:types room thing lamp - object  desk-lamp - lamp  box - thing)
  (:constants hall - room)
  (:predicates (at ?r - room) (door ?a ?b - room) (lit ?l - lamp) (in ?l - lamp ?r - room) (broken ?l - lamp)
    (seen ?r - room) (dark))
  (:action go :parameters (?from ?to - room)
    :precondition (and (at ?from) (or (door ?from ?to) (door ?to ?from)))
    :effect (and (at ?to) (not (at ?from)) (seen ?to)))
  (:action toggle :parameters (?l - lamp)
    :precondition (and (not (broken ?l)) (exists (?r - room) (and (at ?r) (in ?l ?r))))
    :effect (and (when (lit ?l) (not (lit ?l))) (when (not (lit ?l)) (and (lit ?l) (not (dark))))))
  (:action fuse :parameters ()
    :precondition (forall (?l - lamp) (or (broken ?l) (lit ?l)))
    :effect (and (dark) (forall (?l - lamp) (when (not (broken ?l)) (not (lit ?l))))))
  (:action peer :parameters (?r - room ?l - lamp)
    :precondition (exists (?x - cellar, ?y - room) (in ?l ?y)) :effect (seen ?r))
  (:action swap :parameters (?a ?b - (either box lamp)) :precondition (not (= ?a ?b)) :effect (and))
)`

const evening = `(define (problem evening) (:domain house)
  (:objects kitchen attic - room  l1 - lamp  l2 l3 - desk-lamp  b - box)
  (:init (at hall) (door hall kitchen) (door attic kitchen) (in l1 hall) (in l2 kitchen) (in l3 hall) (broken l3) (dark))
  (:goal (and (lit l1) (not (dark)) (at attic))))`

const open = (goal?: string, distinctArguments = false) => {
  const text = goal === undefined ? evening : evening.replace(/\(:goal .*\)\)\)$/, `(:goal ${goal}))`)
  return createPlanningTask(parseDomain(house), parseProblem(text), { distinctArguments })
}

const task = open()
const play = (...actions: string[]) =>
  actions.reduce((facts, text) => {
    const [name = '', ...objects] = text.split(' ')
    const action = task.action(name, objects)
    if (action === null) throw new Error(`no action: ${text}`)
    return task.apply(facts, action)
  }, task.initial)
const possible = (facts = task.initial, schema?: string) =>
  task.applicableActions(facts, schema).map(task.actionText).sort()
const texts = (facts: readonly number[]) => facts.map(task.factText).sort()

describe('the possible actions', () => {
  test('follow disjunctions, both ways through a door', () => {
    expect(possible(task.initial, 'go')).toEqual(['(go hall kitchen)'])
    expect(possible(play('go hall kitchen'), 'go')).toEqual(['(go kitchen attic)', '(go kitchen hall)'])
  })

  test('follow negations and quantifiers', () => {
    expect(possible(task.initial, 'toggle')).toEqual(['(toggle l1)'])
    expect(possible(play('go hall kitchen'), 'toggle')).toEqual(['(toggle l2)'])
    expect(possible(task.initial, 'fuse')).toEqual([])
    expect(possible(play('toggle l1', 'toggle l2'), 'fuse')).toEqual(['(fuse)'])
  })

  test('leave out what needs an object of a type that nothing has', () => {
    expect(possible(task.initial, 'peer')).toEqual([])
  })

  test('distinguish objects where equality asks for it, and respect either type', () => {
    expect(possible(task.initial, 'swap')).toHaveLength(4 * 3)
    expect(task.action('swap', ['b', 'l2'])).not.toBeNull()
    expect(task.action('swap', ['b', 'hall'])).toBeNull()
  })
})

describe('effects', () => {
  test('see the state before, so toggling twice gives the state back', () => {
    expect(texts(play('toggle l1'))).toEqual(['(at hall)', '(lit l1)'])
    expect(texts(play('toggle l1', 'toggle l1'))).toEqual(['(at hall)'])
  })

  test('reach all objects of a type', () => {
    expect(texts(play('toggle l1', 'toggle l2', 'fuse'))).toEqual(['(at hall)', '(dark)'])
  })

  test('keep what is both deleted and added, and give back the very state when nothing changes', () => {
    const there = play('go hall kitchen', 'go kitchen kitchen')
    expect(texts(there)).toEqual(['(at kitchen)', '(dark)', '(seen kitchen)'])
    const action = task.action('go', ['kitchen', 'kitchen'])
    expect(action && task.apply(there, action)).toBe(there)
  })
})

describe('names', () => {
  test('actions over unknown names, too few objects or the wrong types are none', () => {
    expect(task.action('fly', ['hall'])).toBeNull()
    expect(task.action('go', ['hall'])).toBeNull()
    expect(task.action('go', ['hall', 'moon'])).toBeNull()
    expect(task.action('go', ['hall', 'l1'])).toBeNull()
  })

  test('one object may not be used twice where that is asked for', () => {
    expect(task.action('go', ['hall', 'hall'])).not.toBeNull()
    expect(open(undefined, true).action('go', ['hall', 'hall'])).toBeNull()
  })

  test('facts go from names to numbers and back', () => {
    for (const fact of [...task.initial, ...task.staticFacts]) {
      const { predicate, objects } = task.literal(fact)
      expect(task.fact(predicate, ...objects)).toBe(fact)
    }
    expect(task.fact('in', 'l1', 'moon')).toBeNull()
    expect(task.fact('in', 'l1')).toBeNull()
  })

  test('static facts are in no state, and hold in every one', () => {
    expect(task.isStatic('door')).toBe(true)
    expect(task.staticFacts.map(task.factText)).toContain('(door hall kitchen)')
    expect(task.holds([], task.fact('door', 'hall', 'kitchen') ?? -1)).toBe(true)
    expect(task.factsOf([], 'broken').map(task.factText)).toEqual(['(broken l3)'])
  })
})

describe('the goal', () => {
  test('is a list of literals where it is one', () => {
    expect(task.goalLiterals?.map(({ fact, negated }) => [task.factText(fact), negated])).toEqual([
      ['(lit l1)', false],
      ['(dark)', true],
      ['(at attic)', false],
    ])
    expect(task.reached(play('toggle l1', 'go hall kitchen'))).toBe(false)
    expect(task.reached(play('toggle l1', 'go hall kitchen', 'go kitchen attic'))).toBe(true)
  })

  test('can be any condition', () => {
    const any = open('(exists (?l - desk-lamp) (and (lit ?l) (not (broken ?l))))')
    expect(any.goalLiterals).toBeNull()
    expect(any.reached(any.initial)).toBe(false)
    expect(any.reached(play('toggle l2'))).toBe(true)
  })

  test.each([
    ['(lit moon)', 'There is no object "moon"'],
    ['(shiny l1)', 'declares no predicate "shiny"'],
    ['(lit l1 l2)', 'no predicate "lit" over 2 objects'],
  ])('%s is refused with the reason', (goal, message) => {
    expect(() => open(goal)).toThrow(message)
  })
})

test('a query gives every binding of its variables once', () => {
  const { goal } = parseProblem(
    '(define (problem q) (:goal (exists (?r) (or (in l1 ?r) (in l2 ?r) (at ?r)))))',
  )
  if (goal.kind !== 'exists') throw new Error('not a quantifier')
  const found = task.query([{ name: '?r', types: ['room'] }], goal.part)(task.initial)
  expect(found.map(([room]) => task.objects[room ?? -1])).toEqual(['hall', 'kitchen'])
})

test('a quantifier hides an outer variable of the same name', () => {
  const { goal } = parseProblem(
    '(define (problem q) (:goal (exists (?x - lamp) (and (in ?x hall) (exists (?x - room) (at ?x))))))',
  )
  const found = task.query([], goal)
  expect(found(task.initial)).toEqual([[]])
  expect(task.query([{ name: '?x', types: ['lamp'] }], goal)(task.initial)).toHaveLength(3)
})
