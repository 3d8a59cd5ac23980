import { describe, expect, test } from 'vitest'
import { nameEntities } from '../../../shared/environments/alfworld/entity-names.ts'
import { parseGrammar } from '../../../shared/environments/alfworld/parse-grammar.ts'
import { parseQuery, parseSymbols } from '../../../shared/environments/alfworld/parse-symbols.ts'
import { renderText, type Scene } from '../../../shared/environments/alfworld/render-text.ts'

const facts: Record<string, string[][]> = {
  on: [
    ['a', 'x'],
    ['b', 'x'],
    ['b', 'y'],
    ['c', 'x'],
  ],
  red: [['b'], ['c']],
  same: [['a', 'a']],
}
const scene: Scene = {
  nameOf: (object) => `the ${object}`,
  isOfType: (object, type) => ('xy'.includes(object) ? type === 'shelf' : type === 'thing'),
  factsOf: (predicate) => facts[predicate] ?? [],
}
const lists = {
  list_empty: [{ rhs: 'nothing' }],
  list_separator: [{ rhs: ', ' }],
  list_last_separator: [{ rhs: ', and ' }],
}
const grammarOf = (rules: object) =>
  parseGrammar(`grammar :: """${JSON.stringify({ ...lists, ...rules })}""";`)
const render = (text: string, bindings: [string, string][] = [], rules: object = {}) =>
  renderText(grammarOf(rules), parseSymbols(text), scene, new Map(bindings))

describe('a text', () => {
  test.each([
    ['white space at the start is dropped', '\n\n  a b ', 'a b '],
    ['what fits nowhere ends it', 'a (b)} c', 'a (b)'],
    ['a semicolon ends it', 'a; b', 'a'],
    ['quotes are taken off', 'a "b c" d', 'a b c d'],
    ['a written line break is one', 'a\\nb', 'a\nb'],
    ['there can be nothing', '', ''],
  ])('%s', (_name, text, shown) => {
    expect(render(text)).toBe(shown)
  })

  test('shows what is known of a bound entity', () => {
    const bound: [string, string][] = [['o:thing', 'a']]
    expect(render("{o.indefinite + ' ' + o.name}, {o}, {o.name or o.id}, {o.id}", bound)).toBe(
      'a the a, the a, the a, a',
    )
  })

  test('lists solutions in the order of facts, with separators', () => {
    const list = '[{o.id | on(o:thing, r:shelf)}]'
    expect(render(list, [['r:shelf', 'x']])).toBe('a, b, and c')
    expect(render('[{o.id | red(o:thing) & on(o:thing, r:shelf)}]', [['r:shelf', 'x']])).toBe('b, and c')
    expect(render(list, [['r:shelf', 'y']])).toBe('b')
    expect(render('[{o.id | on(r:shelf, o:thing)}]')).toBe('nothing')
    expect(render('{o.id | on(o:thing, r:shelf)}', [['r:shelf', 'x']])).toBe('abc')
  })

  test('takes different variables for different objects', () => {
    expect(render('[{o.id | same(o:thing, p:thing)}]')).toBe('nothing')
    expect(render('[{o.id | same(o:thing, o:thing)}]')).toBe('a')
    expect(render('[{o.id | red(o:thing)}]', [['other:thing', 'b']])).toBe('c')
  })

  test('is the first alternative whose condition holds', () => {
    const rules = {
      colour: [
        { condition: 'red(o:thing)', rhs: 'red' },
        { condition: 'on(o:thing, r:shelf)', rhs: 'on #what#' },
        { rhs: 'plain' },
      ],
      what: [{ rhs: 'something' }],
    }
    const colour = (object: string) => render('#colour#', [['o:thing', object]], rules)
    expect(['b', 'a', 'd'].map(colour)).toEqual(['red', 'on something', 'plain'])
  })

  test.each([
    ['a rule that is not there', '#gone#', /#gone#/],
    ['a variable that nothing binds', '{o.name}', /"o"/],
    ['rules that go round in circles', '#round#', /circles/],
  ])('%s is an error', (_name, text, message) => {
    expect(() => render(text, [], { round: [{ rhs: 'x #round#' }] })).toThrow(message)
  })

  test.each(['null', '3'])('a block of rules that is %s is an error', (block) => {
    expect(() => parseGrammar(`grammar :: """${block}""";`)).toThrow('no JSON object')
  })

  test('rules that each name another twice are an error, and not a text without end', () => {
    const rules = Array.from({ length: 40 }, (_none, step) => [
      `r${step}`,
      [{ rhs: `#r${step + 1}##r${step + 1}#` }],
    ])
    const doubled = { ...Object.fromEntries(rules), r40: [{ rhs: 'x' }] }
    expect(() => render('#r0#', [], doubled)).toThrow(/too often/)
  })

  test('white space may stand around a bar, and be all there is after it', () => {
    const bound: [string, string][] = [['r:shelf', 'x']]
    expect(render('{o.id  or  o.name  \n | \n  on(o:thing, r:shelf)}', bound)).toBe('abc')
    const spaces = ' '.repeat(20_000)
    expect(render(`a{x${spaces}|${spaces}`)).toBe('a')
    expect(() => grammarOf({}) && parseGrammar(`grammar :: """${'\n'.repeat(200_000)}[""";`)).toThrow(
      'not JSON',
    )
  })
})

test('conditions are read with their types, in lower case', () => {
  expect(parseQuery('inReceptacle(o:object, r:receptacle) & not_isHot( o:object )')).toEqual([
    {
      predicate: 'inreceptacle',
      parameters: [
        { key: 'o:object', type: 'object' },
        { key: 'r:receptacle', type: 'receptacle' },
      ],
    },
    { predicate: 'not_ishot', parameters: [{ key: 'o:object', type: 'object' }] },
  ])
  expect(() => parseQuery('a(b:c) &')).toThrow(/cannot be read/)
  expect(() => parseQuery('a(b)')).toThrow(/without a type/)
})

test('a grammar is blocks of rules and actions with their own, among comments', () => {
  const grammar = parseGrammar(`# texts
grammar :: """{"a": [{"rhs": "one"}]}""";
action Go-To { # an action
  template :: "go to {r}";
  feedback :: "#a#";
  grammar :: """
    # rules
    {"a": [{"rhs": "two"}], "b": []}
  """;
}`)
  expect([...grammar.rules.keys()]).toEqual(['a', 'b'])
  expect(grammar.rules.get('a')?.[0]?.symbols).toEqual([{ kind: 'text', text: 'two' }])
  expect(grammar.actions.get('go-to')?.feedback).toEqual([{ kind: 'rule', name: 'a' }])
  expect(() => parseGrammar('action go { template :: "go" }')).toThrow(/Line 1.*";"/)
  expect(() => parseGrammar('grammar :: """{}""";\naction go {}')).toThrow(
    /Line 2.*template and feedback for "go"/,
  )
})

test('entities are numbered downwards within their kind, and basins are kinds of their own', () => {
  const ids = [
    'sink_bar_2',
    'sink_bar_1',
    'sink_bar_1_bar_sinkbasin',
    'agent1',
    'appletype',
    'apple_bar_9',
    'sink_bar_1',
  ]
  const { nameOf, objectNamed } = nameEntities(ids)
  expect(ids.map(nameOf)).toEqual([
    'sink 1',
    'sink 2',
    'sinkbasin 1',
    'agent1',
    'appletype',
    'apple 1',
    'sink 2',
  ])
  expect(objectNamed('sink 2')).toBe('sink_bar_1')
  expect(objectNamed('sink 3')).toBeUndefined()
})
