import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import {
  type ActionTool,
  actionOfCall,
  actTool,
  callOfAction,
} from '../../../shared/environments/tools/action-tool.ts'

const item = { type: 'string', minLength: 1 }
const count = { type: 'integer', minimum: 1 }
const counted = { type: 'object', properties: { count, item }, required: ['count', 'item'] }

const tools: readonly ActionTool[] = [
  { name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} }, action: 'look around' },
  {
    name: 'get',
    description: 'Fetches.',
    schema: { ...counted, additionalProperties: false },
    action: 'get {count} {item}',
  },
  {
    name: 'craft',
    description: 'Crafts.',
    schema: {
      type: 'object',
      properties: { count, item, using: { type: 'array', minItems: 1, items: counted } },
      required: ['count', 'item', 'using'],
    },
    action: 'craft {count} {item} using {using}',
    items: { using: '{count} {item}' },
  },
  {
    name: 'forecast',
    description: 'Asks.',
    schema: { type: 'object', properties: { city: { type: 'string' }, days: count }, required: ['city'] },
    action: 'forecast {*}',
  },
]

const words = fc.stringMatching(/^[a-z]+( [a-z]+)?$/).filter((text) => !/\busing\b/.test(text))
const amount = fc.integer({ min: 1, max: 99 })

describe('a call', () => {
  test.each([
    [{ name: 'get', arguments: { count: 2, item: 'oak logs' } }, 'get 2 oak logs'],
    [{ name: 'get', arguments: { count: '2', item: ' oak logs ' } }, 'get 2 oak logs'],
    [{ name: 'look', arguments: {} }, 'look around'],
    [
      {
        name: 'craft',
        arguments: {
          count: 4,
          item: 'stick',
          using: [
            { count: 2, item: 'planks' },
            { count: 1, item: 'log' },
          ],
        },
      },
      'craft 4 stick using 2 planks, 1 log',
    ],
    [{ name: 'forecast', arguments: { days: 3, city: 'Bonn' } }, 'forecast {"city": "Bonn", "days": 3}'],
    [{ name: 'forecast', arguments: { city: ' Bonn\n' } }, 'forecast {"city": " Bonn\\n"}'],
  ])('%j is the action %j', (call, action) => {
    expect(actionOfCall(call, tools)).toEqual({ action })
  })

  test.each([
    [{ name: 'jump', arguments: {} }, 'There is no tool "jump". The tools are: look, get, craft, forecast.'],
    [{ name: 'get', arguments: { item: 'log' } }, 'The arguments of get do not fit. "count"'],
    [{ name: 'get', arguments: { count: 0, item: 'log' } }, '"count"'],
    [{ name: 'get', arguments: { count: 1, item: 'log', now: true } }, 'do not fit'],
    [{ name: 'craft', arguments: { count: 1, item: 'bowl', using: 'planks' } }, '"using"'],
  ])('%j has feedback', (call, feedback) => {
    expect(actionOfCall(call, tools)).toEqual({ feedback: expect.stringContaining(feedback) })
  })

  test('and its action text lead to each other', () => {
    const calls = fc.oneof(
      fc.record({ name: fc.constant('get'), arguments: fc.record({ count: amount, item: words }) }),
      fc.record({
        name: fc.constant('craft'),
        arguments: fc.record({
          count: amount,
          item: words,
          using: fc.array(fc.record({ count: amount, item: words }), { minLength: 1, maxLength: 4 }),
        }),
      }),
      fc.record({
        name: fc.constant('forecast'),
        arguments: fc.record({ city: fc.string(), days: amount }),
      }),
    )
    fc.assert(
      fc.property(calls, (call) => {
        const read = actionOfCall(call, tools)
        if ('feedback' in read) throw new Error(read.feedback)
        expect(callOfAction(read.action, tools)).toEqual(call)
      }),
    )
  })
})

describe('a tool whose schema', () => {
  const city = { type: 'string' }
  const withCity = (more: JsonObject, name = 'city') => ({
    name: 'forecast',
    description: 'Asks.',
    schema: { type: 'object', properties: { city }, required: ['city'], ...more },
    action: `forecast {${name}}`,
  })
  const call = (given: JsonObject) => ({ name: 'forecast', arguments: given })

  test.each<[string, JsonObject]>([
    ['refers to a property', { properties: { city, other: { $ref: '#/properties/city' } } }],
    ['refers to a definition that is missing', { properties: { city: { $ref: '#/$defs/City' } } }],
    ['refers to another file', { properties: { city, other: { $ref: 'city.json' } } }],
    ['excludes values', { properties: { city: { ...city, not: { enum: ['Paris'] } } } }],
    ['has conditions', { if: { properties: { city: { const: 'Bonn' } } }, else: { required: ['day'] } }],
    ['has dependent fields', { dependentRequired: { city: ['day'] } }],
    ['has dependent schemas', { dependentSchemas: { city: { required: ['day'] } } }],
    ['closes itself late', { unevaluatedProperties: false }],
    ['has a group of Python', { properties: { city: { ...city, pattern: '^(?P<city>.+)$' } } }],
    ['has a flag of Python', { properties: { city: { ...city, pattern: '(?i)^b' } } }],
  ])('%s is called, and only its required fields are checked', (_, more) => {
    const tools = [withCity(more)]
    expect(actionOfCall(call({ city: 'Bonn' }), tools)).toEqual({ action: 'forecast Bonn' })
    expect(callOfAction('forecast Bonn', tools)).toEqual(call({ city: 'Bonn' }))
    expect(actionOfCall(call({}), tools)).toEqual({ feedback: expect.stringContaining('"city"') })
    const action = 'forecast {"city": "Bonn", "other": [1]}'
    expect(actionOfCall(call({ city: 'Bonn', other: [1] }), [withCity(more, '*')])).toEqual({ action })
  })

  test.each(['definitions', '$defs'])('refers to its %s is checked in full', (place) => {
    const tools = [withCity({ properties: { city: { $ref: `#/${place}/City` } }, [place]: { City: city } })]
    expect(actionOfCall(call({ city: 'Bonn' }), tools)).toEqual({ action: 'forecast Bonn' })
    expect(actionOfCall(call({ city: ['Bonn'] }), tools)).toEqual({
      feedback: expect.stringContaining('"city"'),
    })
  })
})

test('a text that no tool has is no call', () => {
  for (const text of ['', 'look', 'get two logs', 'get 0 log', 'craft 1 bowl using', 'forecast Bonn'])
    expect(callOfAction(text, tools)).toBeNull()
})

test('any text can be the argument of the tool act', () => {
  fc.assert(
    fc.property(
      fc
        .string({ minLength: 1 })
        .map((text) => text.trim())
        .filter((text) => text !== ''),
      (action) => {
        const call = { name: 'act', arguments: { action } }
        expect(actionOfCall(call, [actTool])).toEqual({ action })
        expect(callOfAction(action, [actTool])).toEqual(call)
      },
    ),
  )
})
