import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCall } from '../../../shared/play/sandbox/read-call.ts'
import { startedCall } from '../../../shared/play/sandbox/started-call.ts'

const names = ['carry', 'look']

test.each([
  ['carry("ball1", "rooma")', ['ball1', 'rooma']],
  ["carry('ball1')", ['ball1']],
  ['carry(+1)', null],
  ['carry("a", -1.5, 2e3, true, false, null)', ['a', -1.5, 2000, true, false, null]],
  ['carry(["a", [1]], { to: "b", "on top": [{}] })', [['a', [1]], { to: 'b', 'on top': [{}] }]],
  ['carry(`ball1`)', ['ball1']],
  ['`carry("a")`', ['a']],
  ['```carry("a")```.', ['a']],
  ['carry("a").', ['a']],
  ['carry("a");', ['a']],
  ['carry("a, b; c.");.', ['a, b; c.']],
  ['await carry("a")', ['a']],
  ['carry("")', ['']],
  ['carry()', []],
  ['carry("it\'s", \'say "x"\', "\\u00e9\\n")', ["it's", 'say "x"', 'é\n']],
  ['carry({ __proto__: "x" })', [JSON.parse('{ "__proto__": "x" }')]],
  // What has to be computed, or is more than one call.
  ['carry(ball1)', null],
  ['carry("a" + "b")', null],
  ['carry(look())', null],
  ['carry(...["a"])', null],
  ['carry([...["a"]])', null],
  ['carry([, 1])', null],
  [`carry(\`\${1}\`)`, null],
  ['carry({ ["a"]: 1 })', null],
  ['carry({ a })', null],
  ['carry({ get a() { return 1 } })', null],
  ['carry(1e999)', null],
  ['carry(1n)', null],
  ['carry(/a/)', null],
  ['carry(undefined)', null],
  ['carry(() => 1)', null],
  ['carry("a"); look()', null],
  ['carry("a"), look()', null],
  ['carry("a") + 1', null],
  ['carry?.("a")', null],
  ['carry`a`', null],
  ['new carry("a")', null],
  ['world.carry("a")', null],
  ['(carry)("a")("b")', null],
  ['drop("a")', null],
  ['carry', null],
  ['carry ball1 to rooma', null],
  ['carry("a"', null],
  ['', null],
])('of %j the arguments are %j', (text, expected) => {
  expect(readCall(text, names)?.arguments ?? null).toEqual(expected)
})

test.each([
  ['carry("a")', 'carry'],
  ['`await carry(ball1', 'carry'],
  ['carry ("a")', null],
  ['recarry("a")', null],
  ['carry', null],
  ['I carry("a")', null],
])('%j begins to call %j', (text, expected) => {
  expect(startedCall(text, names)).toBe(expected)
})

test('a call that is too long or too deep is none', () => {
  expect(readCall(`carry(${'['.repeat(4_000)}${']'.repeat(4_000)})`, names)).toBeNull()
  expect(readCall(`carry("${'x'.repeat(20_000)}")`, names)).toBeNull()
})

test('the call comes with its name and a statement that can be run', () => {
  expect(readCall('`await look("a", 1)`;', names)).toEqual({
    name: 'look',
    arguments: ['a', 1],
    code: 'look("a", 1)',
  })
})

test('every JSON value that is written as an argument is read as it is', () => {
  fc.assert(
    fc.property(fc.array(fc.json().map((json) => JSON.parse(json))), (values) => {
      const text = `carry(${values.map((value) => JSON.stringify(value)).join(', ')})`
      fc.pre(text.length <= 10_000)
      expect(readCall(text, names)).toEqual({ name: 'carry', arguments: values, code: text })
    }),
  )
})

test('no text at all makes it fail', () => {
  const piece = fc.constantFrom(
    'carry',
    '(',
    ')',
    '"',
    "'",
    '`',
    ',',
    '[',
    ']',
    '{',
    '}',
    '-',
    '1',
    ':',
    '.',
    ';',
    ' ',
    'a',
  )
  fc.assert(
    fc.property(
      fc.array(piece).map((pieces) => pieces.join('')),
      (text) => {
        const call = readCall(text, names)
        if (call) expect(readCall(call.code, names)).toEqual(call)
      },
    ),
    { numRuns: 2000 },
  )
})
