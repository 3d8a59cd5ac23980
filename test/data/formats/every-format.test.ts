import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { datasetFormatSchema, datasetKindSchema } from '../../../shared/core/contracts/dataset.ts'
import type { DatasetRow, WeightedMessage } from '../../../shared/core/contracts/dataset-row.ts'
import { datasetFormats, findFormat } from '../../../shared/data/formats/formats.ts'
import { UnfitRowError } from '../../../shared/data/formats/trainer-format.ts'
import {
  formatFacts,
  rowFacts,
  samples,
  says,
  sees,
  system,
  textKinds,
  weighs,
  write,
} from './sample-rows.ts'

const pairs = datasetFormats.flatMap((format) => datasetKindSchema.options.map((kind) => ({ format, kind })))

test('every format of the contract is there, once', () => {
  expect(datasetFormats.map(({ id }) => id)).toEqual(datasetFormatSchema.options)
  expect(() => findFormat('csv')).toThrow(/Choose one of: openai, trl/)
})

describe.each(datasetFormats)('$id', (format) => {
  test.each(format.kinds.map((kind) => ({ kind })))('writes $kind as one line of JSON', ({ kind }) => {
    const line = JSON.stringify(write(format.id, kind))
    expect(line).not.toContain('\n')
    const isText = textKinds.some((each) => each === kind)
    expect(line).toMatch(isText ? 'Goal: a stick.' : /[[]1,5,6/)
  })

  test('says how its rows are loaded', () => {
    for (const kind of format.kinds) {
      const usage = format.usage(formatFacts(kind, { files: { train: ['a.gz'], test: ['b.gz'] } }))
      expect(usage.startsWith('### ')).toBe(true)
      expect(usage).not.toContain('undefined')
    }
  })
})

test('kinds that a format does not list are refused as a fault of ours, not of the row', () => {
  const wrong = pairs.filter(({ format, kind }) => {
    const types = new Set(format.kinds.map((each) => samples[each].type))
    return !types.has(samples[kind].type)
  })
  expect(wrong.length).toBeGreaterThan(10)
  for (const { format, kind } of wrong) {
    const attempt = () => format.write(samples[kind] as DatasetRow, rowFacts(kind))
    expect(attempt).toThrow(/no place for rows/)
    expect(attempt).not.toThrow(UnfitRowError)
  }
})

const anyTurn: fc.Arbitrary<WeightedMessage> = fc.oneof(
  fc.string({ minLength: 1 }).map(sees),
  fc
    .tuple(fc.string({ minLength: 1 }), fc.constantFrom(0 as const, 1 as const))
    .map(([text, weight]) => weighs(text, weight)),
)
const anyTalk = fc
  .tuple(fc.constantFrom([], [system]), fc.array(anyTurn, { maxLength: 8 }), fc.string({ minLength: 1 }))
  .map(([head, turns, text]) => ({
    type: 'conversation' as const,
    messages: [...head, sees('Go.'), ...turns, weighs(text, 1)] as WeightedMessage[],
  }))

test('whatever the turns, a row is written whole or not at all', () => {
  const fitting = datasetFormats.filter(({ kinds }) => kinds.includes('sft'))
  fc.assert(
    fc.property(anyTalk, fc.constantFrom(...fitting), (row, format) => {
      try {
        const text = JSON.stringify(format.write(row, rowFacts('sft')))
        for (const { content } of row.messages) expect(text).toContain(JSON.stringify(content).slice(1, -1))
      } catch (error) {
        if (!(error instanceof UnfitRowError)) throw error
        expect(error.message).toMatch(/^[a-z]|^TRL|^LLaMA/)
      }
    }),
    { numRuns: 500 },
  )
})

test('TRL’s prompt and completion are the conversation, and learn what it learns', () => {
  fc.assert(
    fc.property(anyTalk, (row) => {
      try {
        const { prompt, completion } = write('trl', 'revision', row) as Record<string, WeightedMessage[]>
        expect([...(prompt ?? []), ...(completion ?? [])]).toEqual(
          row.messages.map(({ role, content }) => ({ role, content })),
        )
        const learned = row.messages.filter(({ weight }) => weight === 1).map(({ content }) => says(content))
        expect(completion?.filter(({ role }) => role === 'assistant')).toEqual(learned)
      } catch (error) {
        if (!(error instanceof UnfitRowError)) throw error
      }
    }),
  )
})
