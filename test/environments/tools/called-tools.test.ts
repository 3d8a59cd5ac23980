import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import {
  type ActionTool,
  actionOfCall,
  actionToolSchema,
  callOfAction,
} from '../../../shared/environments/tools/action-tool.ts'
import { calledTools } from '../../../shared/environments/tools/called-tools.ts'
import { readToolCall, type Tool } from '../../../shared/environments/tools/tool-call.ts'

const text = { type: 'string' }
const edit = { type: 'object', properties: { old: text }, required: ['old'] }
const list = (items: JsonObject) => ({ type: 'array', items })
const tool = (name: string, takesArguments = true): Tool => ({
  name,
  description: `Does ${name}.`,
  schema: {
    type: 'object',
    properties: takesArguments ? { old: text, lines: list(text), edits: list(edit) } : {},
  },
})

const parts = fc.constantFrom(
  'a',
  'b',
  '/',
  '.',
  ' ',
  '_',
  '_2',
  '{',
  '}',
  '(',
  '*',
  '"',
  '\\',
  '\n',
  'é',
  '购',
)
const odd = fc.array(parts, { maxLength: 8 }).map((each) => each.join(''))
const long = fc
  .tuple(fc.constantFrom('/', '_', ''), fc.nat(3))
  .map(([mark, end]) => `${'x'.repeat(64)}${mark}${end}`)
const close = fc.constantFrom('a', 'a ', ' a', 'a\n', 'a b', 'a  b', 'a(', 'a {')
const toolName = fc.oneof(odd, close, long, fc.string({ unit: 'grapheme' }))
const listed = fc.uniqueArray(fc.tuple(toolName, fc.boolean()), { selector: ([name]) => name, minLength: 1 })
const spaced = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', 'a', '{', '"', '\\') })
const given = fc.record({
  old: spaced,
  lines: fc.array(spaced),
  edits: fc.array(fc.record({ old: spaced })),
})

describe('a tool of a server', () => {
  test('has a name that providers accept and no other tool has, in whatever order they are listed', () => {
    fc.assert(
      fc.property(listed, (list) => {
        const tools = list.map(([name, takesArguments]) => tool(name, takesArguments))
        const called = calledTools(tools)
        for (const each of called) actionToolSchema.parse(each)
        expect(new Set(called.map(({ name }) => name)).size).toBe(tools.length)
        expect(calledTools(tools.toReversed()).toReversed()).toEqual(called)
        for (const [place, [name]] of list.entries())
          if (/^[\w-]{1,64}$/.test(name)) expect(called[place]?.name).toBe(name)
      }),
    )
  })

  test('gets the arguments of its call to the last space, under the name that the server knows', () => {
    fc.assert(
      fc.property(listed, given, (list, values) => {
        const tools = list.map(([name, takesArguments]) => tool(name, takesArguments))
        const called = calledTools(tools)
        for (const [place, [name, takesArguments]] of list.entries()) {
          const call = { name: (called[place] as ActionTool).name, arguments: takesArguments ? values : {} }
          const read = actionOfCall(call, called)
          if ('feedback' in read) throw new Error(read.feedback)
          expect(readToolCall(read.action, tools)).toEqual({ action: { name, arguments: call.arguments } })
          expect(callOfAction(read.action, called)).toEqual(call)
        }
      }),
    )
  })

  test.each<JsonObject>([
    {},
    { type: 'object', additionalProperties: true },
    { type: 'object', additionalProperties: { type: 'string' } },
    { type: 'object', patternProperties: { '^o': text } },
    { type: 'object', oneOf: [edit, { type: 'object', properties: { new: text }, required: ['new'] }] },
    { allOf: [edit, { type: 'object', properties: { new: text } }] },
  ])('whose schema %j lists no properties keeps its arguments', (schema) => {
    const [put] = [{ name: 'put', description: 'Puts.', schema }]
    const call = { name: 'put', arguments: { old: ' x\n' } }
    const read = actionOfCall(call, calledTools([put]))
    if ('feedback' in read) throw new Error(read.feedback)
    expect(readToolCall(read.action, [put])).toEqual({ action: call })
    expect(callOfAction(read.action, calledTools([put]))).toEqual(call)
  })

  test('with a plain name is the same as in the trees of earlier versions', () => {
    const [add, look] = [tool('add'), tool('look', false)]
    expect(calledTools([add, look])).toStrictEqual([
      { ...add, action: 'add {*}' },
      { ...look, action: 'look' },
    ])
  })

  test.each([
    [
      ['fs.edit_file', 'a/b', 'add'],
      ['fs_edit_file', 'a_b', 'add'],
    ],
    [
      ['a/b', 'a.b', 'a_b', 'a_b_2'],
      ['a_b_4', 'a_b_3', 'a_b', 'a_b_2'],
    ],
    [
      [`${'x'.repeat(70)}`, `${'x'.repeat(64)}`],
      [`${'x'.repeat(62)}_2`, `${'x'.repeat(64)}`],
    ],
    [['add', 'add'], ['add']],
  ])('%j are offered as %j', (names, offered) => {
    expect(calledTools(names.map((name) => tool(name))).map(({ name }) => name)).toEqual(offered)
  })

  test.each([
    ['fs.edit_file', 'fs.edit_file {"old": "x"}'],
    ['edit a file', 'edit a file {"old": "x"}'],
    ['{old}', '{"name": "\\u007bold}", "arguments": {"old": "x"}}'],
  ])('named %j has the action %j', (name, action) => {
    const called = calledTools([tool(name)])
    const call = { name: (called[0] as ActionTool).name, arguments: { old: 'x' } }
    expect(actionOfCall(call, called)).toEqual({ action })
  })
})
