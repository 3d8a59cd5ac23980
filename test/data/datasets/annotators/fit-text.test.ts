import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitText } from '../../../../shared/data/datasets/annotators/word-turns.ts'
import { estimateTokens } from '../../../../shared/play/models/estimate-tokens.ts'

test('a long text keeps its beginning and its end, and says how much is missing', async () => {
  const text = `begin ${'-'.repeat(3000)} end`
  const short = await fitText(text, 100)
  expect(short).toMatch(/^begin -+\n\[\d+ characters are left out here\]\n-+ end$/)
  expect(await fitText(text, 1100)).toBe(text)
})

test('no text is longer than asked by more than the word on it, whatever its characters', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary', maxLength: 400 }),
      fc.integer({ min: 10, max: 200 }),
      async (text, most) => {
        // Characters of several bytes may stand close together; each is at most three bytes a unit.
        expect(estimateTokens(await fitText(text, most))).toBeLessThanOrEqual(3 * most + 20)
      },
    ),
  )
})
