import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { describeTools } from '../../../shared/environments/tools/describe-tools.ts'
import { readToolCall, type Tool } from '../../../shared/environments/tools/tool-call.ts'

const tool = (name: string, properties: JsonObject = {}, required: string[] = []): Tool => ({
  name,
  description: `Does ${name}.`,
  schema: { type: 'object', properties, required },
})
const text = { type: 'string' }
const tools = [
  tool('look'),
  tool('say', { message: { anyOf: [text, { type: 'null' }], description: 'What to say' } }, ['message']),
  tool('say_twice', { message: text, pause: { type: 'number' } }, ['message']),
  tool('say it', { aloud: { type: 'boolean' } }),
  tool('move', { row: { type: 'integer' }, column: { type: 'integer' } }, ['row', 'column']),
]

test.each<[string, string, JsonObject]>([
  ['look', 'look', {}],
  [' look ', 'look', {}],
  ['look()', 'look', {}],
  ['look {}', 'look', {}],
  ['move {"row": 1, "column": [2]}', 'move', { row: 1, column: [2] }],
  ['move({"row": 1})', 'move', { row: 1 }],
  ['move\n{\n "row": 1\n}', 'move', { row: 1 }],
  ['move({\n "row": 1\n})', 'move', { row: 1 }],
  ['move(\n{"row": 1}\n)', 'move', { row: 1 }],
  ['look(\n)', 'look', {}],
  ['say(\n"hello"\n)', 'say', { message: 'hello' }],
  ['say it {"aloud": true}', 'say it', { aloud: true }],
  ['say it({"aloud": true})', 'say it', { aloud: true }],
  ['say item', 'say', { message: 'item' }],
  ['say hello there', 'say', { message: 'hello there' }],
  ['say "hello"', 'say', { message: 'hello' }],
  ['say("hello")', 'say', { message: 'hello' }],
  ['say (hello)', 'say', { message: '(hello)' }],
  ['say {hello}', 'say', { message: '{hello}' }],
  ['say_twice hello', 'say_twice', { message: 'hello' }],
  ['{"name": "look"}', 'look', {}],
  ['{"name": "move", "arguments": {"row": 1}}', 'move', { row: 1 }],
  ['{"tool_name": "say", "arguments": {"message": "x"}}', 'say', { message: 'x' }],
])('%j calls %s', (written, name, given) => {
  expect(readToolCall(written, tools)).toEqual({ action: { name, arguments: given } })
})

test.each([
  ['', /empty.*The tools are: look, say, say_twice, say it, move/],
  ['jump', /no tool "jump"/],
  ['x'.repeat(100_000), /no tool "x{80}…"/],
  ['('.repeat(100_000), /no tool/],
  ['move 1 2', /Write: move \{"row": …, "column": …\}/],
  ['move [1, 2]', /no JSON object/],
  [`move ${'{"a":'.repeat(100)}1${'}'.repeat(100)}`, /no JSON object/],
  ['{"name": "jump"}', /no tool "jump"/],
  ['{"arguments": {}}', /names no tool/],
  ['{"name": "move", "arguments": [1]}', /no JSON object/],
  ['{', /no JSON object/],
])('%j is no call, and the feedback says how to write one', (written, feedback) => {
  expect(readToolCall(written, tools)).toEqual({ feedback: expect.stringMatching(feedback) })
})

test('whatever is written is a call of a known tool, or feedback', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.tuple(fc.constantFrom('say ', 'move '), fc.json()).map((parts) => parts.join('')),
      ),
      (written) => {
        const reading = readToolCall(written, tools)
        if ('feedback' in reading) expect(reading.feedback).toMatch(/\S/)
        else expect(tools.map(({ name }) => name)).toContain(reading.action.name)
      },
    ),
  )
})

test('any arguments that are JSON objects are read as they were written', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 })), (given) => {
      const text = JSON.stringify(given)
      fc.pre(text.isWellFormed() && !text.includes('['.repeat(2)))
      const reading = readToolCall(`move ${text}`, tools)
      expect(reading).toEqual({ action: { name: 'move', arguments: JSON.parse(text) } })
    }),
  )
})

test('the guide names each tool with its arguments, and the short way to write a text', () => {
  expect(describeTools(tools)).toContain(`- look: Does look.
- say {"message": string | null}: Does say.
  message: What to say
  May also be written: say MESSAGE
- say_twice {"message": string, "pause"?: number}: Does say_twice.
  May also be written: say_twice MESSAGE
- say it {"aloud"?: boolean}: Does say it.
- move {"row": integer, "column": integer}: Does move.`)
})
