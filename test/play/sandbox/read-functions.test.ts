import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFunctions } from '../../../shared/play/sandbox/read-functions.ts'

test('functions are read with their comments, parameters and exact source, in their order', () => {
  const code = `
const hands = ['left', 'right']

/**
 * Carries a thing to a room.
 * Twice if need be.
 */
function carry(thing, room = "kitchen", { hand }) {
  act(\`pick \${thing}\`)
}

// Looks,
// and looks again.
async function look() { return act('look') }

function plain() {}
carry('ball')
`
  expect(readFunctions(code)).toEqual({
    type: 'read',
    functions: [
      {
        name: 'carry',
        parameters: ['thing', 'room = "kitchen"', '{ hand }'],
        code: code.slice(code.indexOf('/**'), code.indexOf('\n\n// Looks')),
        comment: 'Carries a thing to a room.\nTwice if need be.',
      },
      {
        name: 'look',
        parameters: [],
        code: "// Looks,\n// and looks again.\nasync function look() { return act('look') }",
        comment: 'Looks,\nand looks again.',
      },
      { name: 'plain', parameters: [], code: 'function plain() {}', comment: null },
    ],
    rest: "const hands = ['left', 'right']\ncarry('ball')",
  })
})

test.each([
  ['// Far above.\n\nfunction f() {}'],
  ['act("x") // Beside something else.\nfunction f() {}'],
  ['function f() { /* within */ }'],
  ['function f() {}\n// Behind.'],
  ['"/* no comment */"\nfunction f() {}'],
])('in %j no comment leads the function', (code) => {
  const reading = readFunctions(code)
  expect(reading).toMatchObject({ functions: [{ comment: null, code: expect.stringMatching(/^function/) }] })
})

test('the nearest comment leads the function, where there are two', () => {
  const reading = readFunctions('/* A heading. */\n// The text.\nfunction f() {}')
  expect(reading).toMatchObject({ functions: [{ comment: 'The text.' }] })
})

test.each([
  ['function f( {}', 'Unexpected token', 1],
  ['\n\nlet a = = 1', 'Unexpected token', 3],
  ['\nfunction* all() { yield 1 }', 'generator', 2],
  ['function f() {}\nfunction f() {}', 'declared twice', 2],
  ['function act(text) {}', 'hides', 1],
  ['export function f() {}', 'sourceType', 1],
])('%.40s is refused with a message', (code, message, line) => {
  const reading = readFunctions(code)
  expect(reading).toEqual({ type: 'failed', message: expect.stringContaining(message), line })
})

test('source nested too deeply is refused by its depth, not by the stack that is left', () => {
  const tooDeep = { type: 'failed', message: 'The code is nested too deeply.', line: null }
  expect(readFunctions(`${'('.repeat(201)}1${')'.repeat(201)}`)).toEqual(tooDeep)
  expect(readFunctions(`${'('.repeat(200)}1${')'.repeat(200)}`)).toMatchObject({ type: 'read' })
  expect(readFunctions('!'.repeat(90_000))).toEqual(tooDeep)
})

test('whatever stands between them, functions come back as they were written', () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).map((word) => `f_${word}`)
  const functions = fc.uniqueArray(name, { maxLength: 6 }).map((names) =>
    names.map((name) => ({
      name,
      code: `/** About ${name}. */\nfunction ${name}(a, b) {\n  return act('${name}' + a + b)\n}`,
    })),
  )
  const statements = fc.array(fc.constantFrom('act("x")', 'let_ = 1', ';', '// note', ''), {
    minLength: 6,
    maxLength: 6,
  })
  fc.assert(
    fc.property(functions, statements, (functions, statements) => {
      const code = functions.map((one, index) => `${statements[index]}\n\n${one.code}`).join('\n\n')
      const reading = readFunctions(code)
      expect(reading).toMatchObject({
        functions: functions.map((one) => ({
          ...one,
          comment: `About ${one.name}.`,
          parameters: ['a', 'b'],
        })),
      })
    }),
  )
})
