import { describe, expect, test } from 'vitest'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { parseDomain } from '../../../shared/environments/planning/parse-domain.ts'
import { parseProblem } from '../../../shared/environments/planning/parse-problem.ts'

const domain = (body: string) => `(define (domain d)\n${body}\n)`
const problem = (body: string) => `(define (problem p)\n${body}\n)`

describe('reading', () => {
  test('a question mark starts a token, comments end at the line, and case does not matter', () => {
    const { actions } = parseDomain(
      domain(`(:predicates (Next ?a?b)) ; (not read
      (:ACTION Go :parameters (?L - level?l1 - level) :precondition (NEXT ?l?L1) :effect (next ?l1 ?l))`),
    )
    expect(actions).toEqual([
      {
        name: 'go',
        parameters: [
          { name: '?l', types: ['level'] },
          { name: '?l1', types: ['level'] },
        ],
        precondition: { kind: 'literal', negated: false, predicate: 'next', terms: ['?l', '?l1'] },
        effects: [{ kind: 'add', predicate: 'next', terms: ['?l1', '?l'] }],
      },
    ])
  })

  test('negations go down to the literals', () => {
    const { goal } = parseProblem(
      problem('(:goal (not (and (p a) (or (q b) (not (= a b))) (forall (?x - t) (imply (p ?x) (q ?x))))))'),
    )
    const literal = (predicate: string, term: string, negated: boolean) => ({
      kind: 'literal',
      negated,
      predicate,
      terms: [term],
    })
    expect(goal).toEqual({
      kind: 'or',
      parts: [
        literal('p', 'a', true),
        {
          kind: 'and',
          parts: [literal('q', 'b', true), { kind: 'equal', negated: false, left: 'a', right: 'b' }],
        },
        {
          kind: 'exists',
          variables: [{ name: '?x', types: ['t'] }],
          part: { kind: 'and', parts: [literal('p', '?x', false), literal('q', '?x', true)] },
        },
      ],
    })
  })

  test('types have parents, and a name can have either of several', () => {
    const { types, constants } = parseDomain(
      domain('(:types car truck - vehicle place) (:constants home - place it - (either car place))'),
    )
    expect(types).toEqual([
      { name: 'car', types: ['vehicle'] },
      { name: 'truck', types: ['vehicle'] },
      { name: 'place', types: ['object'] },
    ])
    expect(constants).toEqual([
      { name: 'home', types: ['place'] },
      { name: 'it', types: ['car', 'place'] },
    ])
  })

  test('costs and other numbers are left out', () => {
    const { actions } = parseDomain(
      domain(`(:predicates (p)) (:functions (total-cost) - number (distance ?a ?b))
      (:action go :effect (and (p) (increase (total-cost) (distance a b))))`),
    )
    expect(actions[0]?.effects).toEqual([{ kind: 'add', predicate: 'p', terms: [] }])
    const { initial } = parseProblem(
      problem(
        '(:init (= (total-cost) 0) (p) (= (distance a b) 3)) (:goal (p)) (:metric minimize (total-cost))',
      ),
    )
    expect(initial).toEqual([{ predicate: 'p', terms: [] }])
  })
})

describe('errors name the line and what was expected', () => {
  test.each([
    ['nothing', '', 'd.pddl, line 1: expected "(define …)".'],
    [
      'a list that does not end',
      '(define (domain d)\n (:predicates (p)',
      'line 2: expected ")" for the "(" of line 2.',
    ],
    [
      'something after the end',
      '(define (domain d))\n)',
      'line 2: expected nothing more after the last ")".',
    ],
    ['a problem for a domain', '(define (problem p))', 'line 1: expected "(domain name)".'],
    ['an unknown section', domain('(:derived (p) (q))'), 'line 2: expected :requirements'],
    [
      'an unknown predicate',
      domain('(:predicates (p))\n(:action a :precondition (q))'),
      'line 3: expected a predicate that the domain declares, not "q".',
    ],
    [
      'too many terms',
      domain('(:predicates (p ?x))\n(:action a\n:effect (p x y))'),
      'line 4: expected 1 term after "p", not 2.',
    ],
    [
      'an unknown variable',
      domain('(:predicates (p ?x))\n(:action a :effect (p ?y))'),
      'line 3: expected a variable that is declared, not "?y".',
    ],
    [
      'a parameter without question mark',
      domain('(:action a :parameters (x))'),
      'expected a variable that starts with "?", not "x".',
    ],
    [
      'a variable twice',
      domain('(:action a :parameters (?x ?x))'),
      'expected each variable once, but "?x" comes twice.',
    ],
    [
      'an unknown part of an action',
      domain('(:action a :vars (?x))'),
      'expected :parameters, :precondition, :effect, not ":vars".',
    ],
    ['a type that is missing', domain('(:types a -)'), 'expected a type after "-".'],
    [
      'a word for a condition',
      domain('(:action a :precondition (and x))'),
      'expected a condition in "(and …)".',
    ],
    ['endless nesting', '('.repeat(100_000), 'expected lists within lists to a depth of'],
  ])('%s', (_what, text, message) => {
    const read = () => parseDomain(text, 'd.pddl')
    expect(read).toThrow(EspalierError)
    expect(read).toThrow(message)
  })

  test('a problem without a goal', () => {
    expect(() => parseProblem('(define (problem p)\n(:init))')).toThrow(
      'problem, line 2: expected "(:goal …)".',
    )
  })
})
