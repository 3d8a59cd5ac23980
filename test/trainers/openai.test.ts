import { describe, expect, test } from 'vitest'
import { openaiRules } from '../data/formats/openai-rules.ts'
import { conversations, dataFiles } from './canonical-rows.ts'
import { readRows } from './read-rows.ts'

const rowsOf = async (kind: Parameters<typeof dataFiles>[0]) =>
  (await Promise.all((await dataFiles(kind, 'openai')).map(readRows))).flat()

describe('OpenAI’s documented rules', () => {
  test.each(['sft', 'experts', 'revision', 'exploration'] as const)(
    'hold for rows of %s, whose weights are the row’s',
    async (kind) => {
      const rows = (await rowsOf(kind)).map((row) => openaiRules.supervised.parse(row))
      const weights = rows.map(({ messages }) =>
        messages.map((message) => (message.role === 'assistant' ? (message.weight ?? 1) : undefined)),
      )
      const canonical = await conversations(kind)
      expect(weights).toEqual(canonical.map(({ messages }) => messages.map(({ weight }) => weight)))
    },
  )

  test('hold for pairs and for prompts', async () => {
    for (const row of await rowsOf('step-preference')) openaiRules.preference.parse(row)
    for (const row of await rowsOf('prompts')) openaiRules.reinforcement.parse(row)
    expect((await rowsOf('prompts')).length).toBeGreaterThan(1)
  })
})
