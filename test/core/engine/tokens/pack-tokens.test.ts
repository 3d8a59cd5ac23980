import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TokenRecord } from '../../../../shared/core/contracts/token-record.ts'
import { TokenPacker, unpackTokens } from '../../../../shared/core/engine/tokens/pack-tokens.ts'
import { tokenRecord } from '../../../support/token-record.ts'

const id = fc.integer({ min: 0, max: 300_000 })
const logprob = fc.option(fc.double({ min: -40, max: -1e-9, noNaN: true }), { nil: null })

/** Conversations that grow, fork off and begin anew, some of whose ids are unknown. */
const conversations = fc
  .array(
    fc.record({
      from: fc.option(fc.nat(), { nil: null }),
      cut: fc.nat({ max: 40 }),
      more: fc.array(id, { maxLength: 40 }),
      isUnknown: fc.boolean(),
      answers: fc.array(
        fc.record({
          ids: fc.option(fc.array(id, { maxLength: 30 }), { nil: null }),
          logprobs: fc.option(fc.array(logprob), { nil: null }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
    { maxLength: 12 },
  )
  .map((turns) => {
    const records: TokenRecord[] = []
    for (const [place, { from, cut, more, isUnknown, answers }] of turns.entries()) {
      const before = from === null || records.length === 0 ? undefined : records[from % records.length]
      const earlier = [...(before?.prompt_ids ?? []), ...(before?.answers[0]?.ids ?? [])]
      const prompt = [...earlier.slice(0, Math.max(0, earlier.length - (cut % 3))), ...more]
      records.push(
        tokenRecord(`node/${place}`, { prompt_ids: isUnknown && cut > 30 ? null : prompt, answers }),
      )
    }
    return records
  })

test('records come back as they were, whatever they share with earlier ones', () => {
  fc.assert(
    fc.property(conversations, (records) => {
      const packer = new TokenPacker()
      const lines = records.map((record): unknown => JSON.parse(JSON.stringify(packer.pack(record))))
      expect(unpackTokens(lines)).toEqual(records)
    }),
  )
})

test('a conversation is stored about once, however many turns it has', () => {
  const packer = new TokenPacker()
  let prompt = Array.from({ length: 400 }, (_, place) => place)
  let stored = 0
  let whole = 0
  for (let turn = 0; turn < 30; turn += 1) {
    const ids = [9000 + turn, 7]
    const packed = packer.pack(
      tokenRecord(`node/${turn}`, { prompt_ids: prompt, answers: [{ ids, logprobs: null }] }),
    )
    stored += packed.prompt?.length ?? 0
    whole += prompt.length
    prompt = [...prompt, ...ids, 11, 12, 13]
  }
  expect(whole).toBeGreaterThan(10_000)
  expect(stored).toBe(400 + 29 * 3)
})

test('a record whose prefix is missing is an error that names it', () => {
  const packer = new TokenPacker()
  const prompt = Array.from({ length: 50 }, (_, place) => place)
  packer.pack(tokenRecord('first', { prompt_ids: prompt }))
  const later = packer.pack(tokenRecord('second', { prompt_ids: [...prompt, 4, 5, 6] }))
  expect(() => unpackTokens([later])).toThrow('The token record of "first" is missing')
})
