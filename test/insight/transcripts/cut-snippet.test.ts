import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutSnippet } from '../../../shared/insight/transcripts/cut-snippet.ts'
import { findMatches, parseTextQuery } from '../../../shared/insight/transcripts/text-query.ts'

const snippetOf = (text: string, q: string) => cutSnippet(text, findMatches(text, parseTextQuery(q)) ?? [])

test('a short text is shown whole, with what was found apart', () => {
  expect(snippetOf('Got 3 White wool.', 'wool "3 white"')).toEqual([
    { text: 'Got ', match: false },
    { text: '3 White', match: true },
    { text: ' ', match: false },
    { text: 'wool', match: true },
    { text: '.', match: false },
  ])
})

test('of a long text the part with the most of what was found is shown, between whole words', () => {
  const text = `wool ${'far away '.repeat(60)}some wool for a bed ${'and more '.repeat(60)}`
  const shown = snippetOf(text, 'wool bed')
  expect(shown.filter(({ match }) => match).map((part) => part.text)).toEqual(['wool', 'bed'])
  const whole = shown.map((part) => part.text).join('')
  expect(whole).toMatch(/^… (far|away) .* some wool for a bed and more .*(and|more) …$/)
})

test('a snippet is a part of its text, has something that was found, and is not long', () => {
  const word = fc.constantFrom(
    'wool',
    'bed',
    'é',
    '👍',
    '🏽',
    '\n',
    'abcdefghijklmnopqrstuvwxyz'.repeat(15),
    '-',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 200 }), fc.constantFrom(' ', ''), (words, gap) => {
      const text = `${words.join(gap)} wool`
      const shown = snippetOf(text, 'wool')
      const parts = shown.map((part) => part.text)
      const whole = parts.join('').replace(/^… /, '').replace(/ …$/, '')
      expect(text).toContain(whole)
      expect(whole.length).toBeLessThanOrEqual(300)
      expect(whole.isWellFormed()).toBe(true)
      expect(shown.filter(({ match }) => match).every((part) => /^wool$/i.test(part.text))).toBe(true)
      expect(shown.some(({ match }) => match)).toBe(true)
    }),
  )
})
