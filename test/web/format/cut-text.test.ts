import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutText } from '../../../web/format/cut-text.ts'

test('a text is cut after so many characters or lines, whichever come first', () => {
  expect(cutText('one\ntwo\nthree', { characters: 100, lines: 3 })).toBe('one\ntwo\nthree')
  expect(cutText('one\ntwo\nthree', { characters: 100, lines: 2 })).toBe('one\ntwo')
  expect(cutText('one\ntwo\nthree', { characters: 5, lines: 2 })).toBe('one\nt')
  expect(cutText('\n'.repeat(1_000_000), { characters: 20_000, lines: 500 })).toBe('\n'.repeat(499))
})

test('what is left of any text is its beginning, and never more than was asked for', () => {
  const texts = fc.array(fc.constantFrom('a', '\n', 'שלום'), { maxLength: 60 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(
      texts,
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 10 }),
      (text, characters, lines) => {
        const cut = cutText(text, { characters, lines })
        expect(text.startsWith(cut)).toBe(true)
        expect(cut.length).toBeLessThanOrEqual(characters)
        expect(cut.split('\n').length).toBeLessThanOrEqual(lines)
      },
    ),
  )
})
