import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DatasetFormatId, DatasetKindId } from '../../../shared/core/contracts/dataset.ts'
import type { DatasetRow, WeightedMessage } from '../../../shared/core/contracts/dataset-row.ts'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { type ShownPart, shownPartSchema } from '../../../shared/core/contracts/shown-row.ts'
import { promptText } from '../../../shared/data/formats/chat-messages.ts'
import { datasetFormats, findFormat } from '../../../shared/data/formats/formats.ts'
import { showRow } from '../../../shared/data/formats/shown-parts.ts'
import { UnfitRowError } from '../../../shared/data/formats/trainer-format.ts'
import { samples, says, sees, system, talk, textKinds, weighs, write } from './sample-rows.ts'

const every = datasetFormats.flatMap(({ id, kinds }) =>
  textKinds.filter((kind) => kinds.includes(kind)).map((kind) => ({ format: id, kind })),
)

const withoutSystem: DatasetFormatId[] = ['fastchat', 'agenttraj']
const inOneText: DatasetFormatId[] = ['trl', 'axolotl']

function show(format: DatasetFormatId, kind: DatasetKindId, row?: DatasetRow): ShownPart[] {
  return findFormat(format).show(write(format, kind, row), kind)
}

/** What the canonical row says, but for where the format is known to say the same otherwise. */
function turnsOf(format: DatasetFormatId, row: DatasetRow) {
  const turns = showRow(row).flatMap((part) => part.turns)
  if (row.type === 'process' && inOneText.includes(format)) {
    return [{ role: 'text', content: promptText(row.prompt) }, ...turns.slice(row.prompt.length)]
  }
  const [first, second, ...rest] = turns
  if (!withoutSystem.includes(format) || first?.role !== 'system' || second === undefined) return turns
  return [{ ...second, content: `${first.content}\n\n${second.content}` }, ...rest]
}

const saidIn = (turns: readonly { role: string; content: string }[]) =>
  turns.map(({ role, content }) => ({ role, content }))

describe.each(every)('$kind in $format', ({ format, kind }) => {
  const row = samples[kind] as DatasetRow
  const parts = show(format, kind)

  test('is shown with all that it says, in its order', () => {
    expect(shownPartSchema.array().parse(parts)).toEqual(parts)
    expect(saidIn(parts.flatMap(({ turns }) => turns))).toEqual(saidIn(turnsOf(format, row)))
  })

  test('learns what the canonical row has weights for', () => {
    const marks = parts.flatMap(({ turns }) => turns.map(({ learned }) => learned))
    const canonical = showRow(row).flatMap(({ turns }) => turns)
    const expected = turnsOf(format, row).map((_, index, all) => {
      const turn = canonical[index + canonical.length - all.length]
      // DPO and KTO in TRL mask no turns of a side.
      const isSide = index >= all.length - sideTurns(row)
      return format === 'trl' && isSide ? true : (turn?.learned ?? null)
    })
    expect(marks).toEqual(expected)
  })
})

function sideTurns(row: DatasetRow): number {
  if (row.type === 'preference') return row.chosen.length + row.rejected.length
  return row.type === 'unpaired' ? row.completion.length : 0
}

test('sides, labels and values stand with what they are of', () => {
  const names = (format: DatasetFormatId, kind: DatasetKindId) => show(format, kind).map(({ name }) => name)
  expect(names('trl', 'preference')).toEqual(['prompt', 'chosen', 'rejected'])
  expect(names('openai', 'step-preference')).toEqual(['prompt', 'chosen', 'rejected'])
  expect(names('trl', 'revision')).toEqual(['prompt', 'completion'])
  expect(names('xtuner', 'revision')).toEqual(['messages'])
  for (const format of ['trl', 'llama-factory', 'parquet'] as const) {
    const undesirable = { ...samples.unpaired, label: false } as unknown as DatasetRow
    expect(show(format, 'unpaired').at(-1)).toMatchObject({ name: 'completion', label: true })
    expect(show(format, 'unpaired', undesirable).at(-1)).toMatchObject({ label: false })
  }
  const steps = [
    { content: 'get log', label: true, value: 0.75, learned: null },
    { content: 'Got log.\n\ncraft stick', label: false, value: 0.25, learned: null },
  ]
  expect(show('trl', 'process-reward').at(-1)).toMatchObject({ name: 'steps', turns: steps })
  expect(show('parquet', 'process-reward').at(-1)).toMatchObject({ name: 'steps', turns: steps })
  expect(show('axolotl', 'process-reward').at(-1)?.turns[0]).not.toHaveProperty('value')
})

const anyTurns = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), fc.boolean()), {
      minLength: 1,
      maxLength: 6,
    }),
    fc.string({ minLength: 1 }),
  )
  .map(([hasSystem, rounds, last]) =>
    talk(
      ...(hasSystem ? [system] : []),
      ...rounds.flatMap(([seen, said, learned]): WeightedMessage[] => [
        sees(seen),
        weighs(said, learned ? 1 : 0),
      ]),
      sees('Go on.'),
      weighs(last, 1),
    ),
  )

test('whatever is learned of a conversation is shown so, but for an acknowledgement where there are no weights', () => {
  const formats = datasetFormats.filter(({ kinds }) => kinds.includes('sft')).map(({ id }) => id)
  let fit = 0
  fc.assert(
    fc.property(anyTurns, fc.constantFrom(...formats), (row, format) => {
      try {
        const marks = show(format, 'sft', row)
          .flatMap(({ turns }) => turns)
          .flatMap(({ role, learned }) => (role === 'assistant' ? [learned] : []))
        const weights = row.messages.flatMap(({ role, weight }) =>
          role === 'assistant' ? [weight === 1] : [],
        )
        const withoutWeights = ['trl', 'llama-factory', 'fastchat'].includes(format)
        expect(marks).toEqual(withoutWeights ? weights.map(() => true) : weights)
        fit += 1
      } catch (error) {
        if (!(error instanceof UnfitRowError)) throw error
      }
    }),
    { numRuns: 300 },
  )
  expect(fit).toBeGreaterThan(100)
})

test('what LLaMA-Factory masks of a search is its history', () => {
  const marks = (show('llama-factory', 'exploration')[0]?.turns ?? []).map(({ learned }) => learned)
  expect(marks.filter(Boolean)).toHaveLength(1)
  expect(marks.at(-1)).toBe(true)
})

test('a side of several turns learns the model’s alone for ETO', () => {
  const chosen: Message[] = [says('get log'), sees('Got log.'), says('craft stick')]
  const row = { ...samples.preference, chosen } as unknown as DatasetRow
  expect(show('fastchat', 'preference', row)[1]?.turns.map(({ learned }) => learned)).toEqual([
    true,
    false,
    true,
  ])
})
