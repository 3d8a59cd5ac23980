import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import {
  chooseActionForm,
  describeActionForm,
  readOpenenvAction,
} from '../../../shared/environments/openenv/openenv-actions.ts'

const metadata = { type: 'object', additionalProperties: true }
const schemaOf = (properties: JsonObject, required: string[] = Object.keys(properties), more = {}) => ({
  type: 'object',
  properties: { metadata, ...properties },
  required,
  ...more,
})

const text = schemaOf({ message: { type: 'string', description: 'What to say' } })
const direction = schemaOf({ move: { $ref: '#/$defs/Move' } }, ['move'], {
  $defs: { Move: { type: 'string', enum: ['UP', 'DOWN'] } },
})
const number = schemaOf({ action_id: { type: 'integer' } })
const code = schemaOf({ code: { type: 'string' }, timeout: { type: 'number' } }, ['code'])
const point = schemaOf({ row: { type: 'integer' }, column: { type: 'integer' } })
const call = schemaOf(
  { type: { const: 'call_tool' }, tool_name: { type: 'string' }, arguments: { type: 'object' } },
  ['tool_name'],
)
const tools = [
  {
    name: 'echo',
    description: 'Says it again.',
    schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  },
]

const read = (written: string, schema: JsonObject, options = {}) => {
  const form = chooseActionForm(schema, options)
  if (form === null) throw new Error('There is no form.')
  return readOpenenvAction(written, form, tools)
}

describe('the text of an agent is an action of an OpenEnv server', () => {
  test.each<[string, JsonObject, string, JsonObject]>([
    ['a text', text, ' Hello {you} ', { message: ' Hello {you} ' }],
    ['one of some words', direction, 'UP', { move: 'UP' }],
    ['a number', number, ' 3 ', { action_id: 3 }],
    ['a text with more that may be said', code, 'print(1)', { code: 'print(1)' }],
    ['the same as an object', code, '{"code": "1", "timeout": 2}', { code: '1', timeout: 2 }],
    ['a text that is another object', code, '{"a": 1}', { code: '{"a": 1}' }],
    ['an object', point, '{"row": 1, "column": 2}', { row: 1, column: 2 }],
    [
      'the call of a tool',
      call,
      'echo {"message": "hi"}',
      { type: 'call_tool', tool_name: 'echo', arguments: { message: 'hi' } },
    ],
    [
      'the call of a tool, where actions have no fields',
      { type: 'object', properties: { metadata } },
      'echo hi',
      { type: 'call_tool', tool_name: 'echo', arguments: { message: 'hi' } },
    ],
    ['text that is no Unicode', text, 'a\ud800', { message: 'a\ufffd' }],
  ])('%s', (_what, schema, written, action) => {
    expect(read(written, schema)).toEqual({ action })
  })

  test('or is not understood, and says how to write one', () => {
    expect(read('three', number)).toEqual({ feedback: expect.stringContaining('Write integer') })
    expect(read('row 1', point)).toEqual({ feedback: expect.stringContaining('{"row": …, "column": …}') })
    expect(read('[1]', point)).toEqual({ feedback: expect.stringContaining('JSON object') })
    expect(read('say hi', call)).toEqual({
      feedback: expect.stringMatching(/no tool "say".*The tools are: echo/),
    })
    expect(read('['.repeat(100_000), number)).toEqual({ feedback: expect.any(String) })
  })

  test('in the way that an administrator said instead', () => {
    expect(read('5', point, { action_field: 'row' })).toEqual({ action: { row: 5 } })
    expect(read('{"message": "hi"}', text, { actions: 'json' })).toEqual({ action: { message: 'hi' } })
    expect(read('{"a": 1}', code, { actions: 'text', action_field: 'code' })).toEqual({
      action: { code: '{"a": 1}' },
    })
    expect(chooseActionForm(point, { action_field: 'depth' })).toBeNull()
    expect(chooseActionForm(point, { actions: 'text' })).toBeNull()
  })
})

test('the guide says how actions are written', () => {
  const guide = (schema: JsonObject) => {
    const form = chooseActionForm(schema)
    return form === null ? '' : describeActionForm(form, schema, tools)
  }
  expect(guide(text)).toBe('Each action is a text. What to say.')
  expect(guide(direction)).toContain('one of: "UP" | "DOWN"')
  expect(guide(number)).toContain('JSON value, integer: its "action_id"')
  expect(guide(code)).toContain('- timeout (number, may be left out)')
  expect(guide(point)).toContain('{"row": …, "column": …}')
  expect(guide(call)).toContain('- echo {"message": string}: Says it again.')
})
