import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { idleParameters } from '../../../../shared/core/contracts/idle-parameters.ts'
import type { Json, JsonObject } from '../../../../shared/core/contracts/json.ts'
import { datasetKinds } from '../../../../shared/data/datasets/dataset-kinds.ts'
import { describeKinds } from '../../../../shared/data/datasets/describe-kinds.ts'
import { describeMethod } from '../../../../shared/play/methods/describe-method.ts'
import { builtinMethods, openMethods, schemaOf } from '../../../../shared/play/methods/methods.ts'
import { parseText, problemOf, toText } from '../../../../web/components/schema-fields/field-text.ts'
import {
  type NumberShape,
  readFields,
  type SchemaField,
} from '../../../../web/components/schema-fields/read-fields.ts'
import {
  findProblems,
  setParameter,
  settleValue,
  visibleFields,
  withoutDefaults,
} from '../../../../web/components/schema-fields/settle-value.ts'

const findIdle = (parameters: JsonObject) => idleParameters(parameters).map(({ name }) => name)

interface Subject {
  id: string
  schema: JsonObject
  /** The names of the parameters that the owner's own schema refuses. */
  refused(value: JsonObject): string[]
  defaults(value: JsonObject): unknown
}

const subjects: Subject[] = [
  ...builtinMethods.map((method) => ({
    id: `method ${method.id}`,
    schema: describeMethod(method).parameters,
    refused: (value: JsonObject) => namesOf(schemaOf(method, value).safeParse(value)),
    defaults: (value: JsonObject) => schemaOf(method, value).parse(value),
  })),
  ...datasetKinds.map((kind, at) => ({
    id: `kind ${kind.id}`,
    schema: describeKinds()[at]?.parameters ?? {},
    refused: (value: JsonObject) => namesOf(kind.parameters.safeParse(value)),
    defaults: (value: JsonObject) => kind.parameters.parse(value),
  })),
]

function namesOf({ error }: { error?: { issues: { path: PropertyKey[] }[] } | undefined }): string[] {
  return (error?.issues ?? []).map(({ path }) => String(path[0] ?? ''))
}

const texts: Record<string, string> = {
  restore_action: 'back {{steps}}',
  score: 'helpful',
  judged: 'helpful',
}

const objects: Record<string, string> = {
  beginnings: '{"textcraft-0001": ["Thought: Hm.\\nAction: inventory"]}',
}

/** What can be entered in a field: every choice, numbers within the bounds and at them, text, lines, nothing. */
function entries(field: SchemaField): fc.Arbitrary<Json | undefined> {
  const { name, shape } = field
  const none = fc.constantFrom<(Json | undefined)[]>(undefined, ...(field.isNullable ? [null] : []))
  switch (shape.kind) {
    case 'choice':
      return fc.oneof(none, fc.constantFrom(...shape.choices))
    case 'switch':
      return fc.oneof(none, fc.boolean())
    case 'number':
      return fc.oneof(
        none,
        numberTexts(shape).map((text) => parseText(shape, text)),
      )
    case 'numbers':
      return fc.oneof(
        none,
        fc
          .array(numberTexts(shape.each), { minLength: 1, maxLength: 3 })
          .map((texts) => parseText(shape, texts.join(', '))),
      )
    case 'lines':
      return fc.oneof(none, fc.constant(parseText(shape, 'textcraft-0001\n\n textcraft-0002 \n')))
    case 'json':
      return fc.oneof(none, fc.constant(parseText(shape, objects[name] ?? 'null')))
    default:
      return fc.oneof(none, fc.constant(texts[name] ?? 'some text'))
  }
}

function numberTexts({ exclusiveMinimum, isWhole, maximum, minimum, multipleOf }: NumberShape) {
  const step = multipleOf ?? (isWhole ? 1 : 0.125)
  const least = Math.ceil((minimum ?? 0) / step) + (exclusiveMinimum === null ? 0 : 1)
  const most = Math.floor(Math.min(maximum ?? 1000, 1000) / step)
  return fc.integer({ min: least, max: most }).map((times) => String(times * step))
}

/** Fills a form: one field after the other, each of those that are shown at that time. */
function fill({ schema }: Subject, draw: fc.GeneratorValue): JsonObject {
  let value: JsonObject = {}
  for (const which of draw(() => fc.array(fc.nat(), { maxLength: 10 }))) {
    const fields = visibleFields(schema, value, findIdle)
    const field = fields[which % fields.length]
    if (field === undefined) throw new Error('A form has fields.')
    value = setParameter(schema, value, [field.name, draw(() => entries(field))], findIdle)
  }
  return value
}

/** What only the owner can say of parameters that are each as their schema says. */
const between = new Set([
  'alpha',
  'labels',
  'score',
  'undesirable_at',
  'min_success_rate',
  'max_success_rate',
])

describe.each(subjects)('the form of $id', (subject) => {
  const { schema } = subject

  test('shows every parameter, none of them in a shape that it does not know', () => {
    const fields = readFields(schema, {})
    expect(fields.length).toBeGreaterThan(0)
    const edited = fields.filter(({ name, shape }) => shape.kind === 'json' && !(name in objects))
    expect(edited).toEqual([])
  })

  test('gives what is accepted, whatever is entered in whichever order', () => {
    fc.assert(
      fc.property(fc.gen(), (draw) => {
        const value = fill(subject, draw)
        expect(findProblems(schema, value)).toEqual({})
        expect(subject.refused(value).filter((name) => !between.has(name))).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('means the same without what is as the defaults say', () => {
    fc.assert(
      fc.property(fc.gen(), (draw) => {
        const value = fill(subject, draw)
        fc.pre(subject.refused(value).length === 0)
        const full = subject.defaults(value) as JsonObject
        const short = withoutDefaults(schema, full)
        expect(subject.defaults(short)).toEqual(full)
        for (const [name, own] of Object.entries(short)) expect(value[name]).toEqual(own)
      }),
      { numRuns: 60 },
    )
  })

  test('says what is wrong with the same numbers that are refused', () => {
    for (const field of visibleFields(schema, {}, findIdle)) {
      if (field.shape.kind !== 'number') continue
      for (const text of ['-1', '0', '0.5', '3', '101', '1e9', 'many']) {
        const value = parseText(field.shape, text) as Json
        const isWrong = problemOf(field, value) !== null
        const isRefused = subject.refused({ [field.name]: value }).includes(field.name)
        expect([field.name, text, isWrong || between.has(field.name)]).toEqual([
          field.name,
          text,
          isRefused || between.has(field.name),
        ])
      }
    }
  })

  test('shows each value as it was entered', () => {
    fc.assert(
      fc.property(fc.gen(), (draw) => {
        const value = fill(subject, draw)
        for (const field of readFields(schema, value)) {
          const own = value[field.name]
          if (own === undefined || own === null || field.shape.kind === 'switch') continue
          if (field.shape.kind === 'choice') continue
          expect(parseText(field.shape, toText(field.shape, own))).toEqual(own)
        }
      }),
      { numRuns: 30 },
    )
  })
})

describe('a choice that decides about others', () => {
  const mcts = describeMethod(openMethods().find('mcts')).parameters
  const names = (value: JsonObject) => visibleFields(mcts, value, findIdle).map(({ name }) => name)

  test('offers the choices of every variant, and shows the parameters of the chosen one', () => {
    const [value] = readFields(mcts, {}).filter(({ name }) => name === 'value')
    expect(value?.shape).toEqual({
      kind: 'choice',
      choices: ['none', 'reward', 'judge', 'debate', 'single-debate', 'endpoint'],
    })
    expect(value).toMatchObject({ fallback: 'none', isRequired: false })
    expect(names({})).toContain('samples')
    expect(names({ value: 'judge' })).not.toContain('samples')
    expect(names({ value: 'judge' })).toContain('verdicts')
    expect(names({ value: 'reward' })).not.toContain('verdicts')
  })

  test('takes along what it makes meaningless, and leaves the rest', () => {
    const judged = { value: 'judge', iterations: 5, verdicts: 7 }
    expect(setParameter(mcts, judged, ['value', 'reward'], findIdle)).toEqual({
      value: 'reward',
      iterations: 5,
    })
    expect(setParameter(mcts, judged, ['value', undefined], findIdle)).toEqual({ iterations: 5 })
    expect(settleValue(mcts, { samples: 3, value: 'debate' }, findIdle)).toEqual({ value: 'debate' })
  })
})

test('a text that is no number stays what it is, and is refused', () => {
  const [steps] = readFields({ properties: { steps: { type: 'integer', minimum: 1 } } }, {})
  if (steps === undefined) throw new Error('There is a field.')
  expect(parseText(steps.shape, 'twelve')).toBe('twelve')
  expect(problemOf(steps, 'twelve')).toBe('It must be a whole number.')
  expect(problemOf(steps, 1.5)).toBe('It must be a whole number.')
  expect(problemOf(steps, 0)).toBe('At least 1.')
  expect(parseText(steps.shape, '  ')).toBeUndefined()
})

test('only decimal numbers are numbers', () => {
  const [share] = readFields({ properties: { share: { type: 'number' } } }, {})
  if (share === undefined) throw new Error('There is a field.')
  for (const text of ['0x10', '0b1', '0o7', 'Infinity', '1e999', '1_000', '.', '1 2'])
    expect(parseText(share.shape, text), text).toBe(text)
  for (const [text, number] of Object.entries({
    '1.': 1,
    '.5': 0.5,
    ' 7 ': 7,
    '1e-3': 0.001,
    '-2': -2,
    '007': 7,
  }))
    expect(parseText(share.shape, text), text).toBe(number)
})

test('a value of another shape is none of a field', () => {
  const stated: Record<string, [JsonObject, right: Json, wrong: Json]> = {
    text: [{ type: 'string' }, 'x', 1],
    choice: [{ enum: ['a', 'b'] }, 'a', 'c'],
    switch: [{ type: 'boolean' }, false, 'yes'],
    lines: [{ type: 'array', items: { type: 'string' } }, ['a'], 'a'],
    numbers: [{ type: 'array', items: { type: 'number', maximum: 1 } }, [0.5, 1], [0.5, 2]],
  }
  for (const [name, [own, right, wrong]] of Object.entries(stated)) {
    const schema = { properties: { [name]: own } }
    expect(findProblems(schema, { [name]: right })).toEqual({})
    expect(Object.keys(findProblems(schema, { [name]: wrong }))).toEqual([name])
  }
})

test('numbers are entered with commas between them, and each is checked', () => {
  const stated = { type: 'array', items: { type: 'number', minimum: 0, maximum: 1 }, maxItems: 3 }
  const [alphas] = readFields({ properties: { alphas: stated } }, {})
  if (alphas === undefined) throw new Error('There is a field.')
  expect(parseText(alphas.shape, '0.5, .7,1')).toEqual([0.5, 0.7, 1])
  expect(toText(alphas.shape, [0.5, 0.7, 1])).toBe('0.5, 0.7, 1')
  expect(parseText(alphas.shape, '0.5 0.7')).toBe('0.5 0.7')
  expect(problemOf(alphas, '0.5 0.7')).toBe('It must be numbers, separated by commas.')
  expect(problemOf(alphas, [0.5, 2])).toBe('At most 1.')
  expect(problemOf(alphas, [0, 0, 0, 0])).toBe('At most 3 numbers.')
})

test('a shape that is not known is entered as JSON', () => {
  const [weights] = readFields({ properties: { weights: { type: 'object' } } }, {})
  if (weights === undefined) throw new Error('There is a field.')
  expect(weights.shape).toEqual({ kind: 'json' })
  for (const value of [{ a: 1 }, [1, 'x'], '1', 'text', null, true] as Json[]) {
    expect(parseText(weights.shape, toText(weights.shape, value))).toEqual(value)
  }
})
