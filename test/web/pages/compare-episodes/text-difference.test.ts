import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type TextPart, textDifference } from '../../../../web/pages/compare-episodes/text-difference.ts'

const texts = fc
  .array(fc.constantFrom('craft', '4', 'oak', 'planks', ' ', ' ', '\n', '\t', ',', '.', 'é', '木'), {
    maxLength: 20,
  })
  .map((pieces) => pieces.join(''))

const whole = (parts: readonly TextPart[]) => parts.map(({ text }) => text).join('')
const shared = (parts: readonly TextPart[]) =>
  parts.flatMap(({ text, isOnlyHere }) => (isOnlyHere ? [] : text)).join('')
const marked = (parts: readonly TextPart[]) =>
  parts.map(({ text, isOnlyHere }) => (isOnlyHere ? `[${text}]` : text)).join('')

test('the stretches of a text make it up again', () => {
  fc.assert(
    fc.property(fc.oneof(texts, fc.string()), fc.oneof(texts, fc.string()), (left, right) => {
      const difference = textDifference(left, right)
      expect(whole(difference.left)).toBe(left)
      expect(whole(difference.right)).toBe(right)
    }),
  )
})

test('what both have is the same on both sides, apart from white space before what differs', () => {
  fc.assert(
    fc.property(texts, texts, (left, right) => {
      const difference = textDifference(left, right)
      const bare = (parts: readonly TextPart[]) => shared(parts).replaceAll(/\s/g, '')
      expect(bare(difference.left)).toBe(bare(difference.right))
    }),
  )
})

test('equal texts differ nowhere', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(textDifference(text, text).left.every(({ isOnlyHere }) => !isOnlyHere)).toBe(true)
    }),
  )
})

test('words that one side alone has are marked, and a sign behind a word does not mark the word', () => {
  const { left, right } = textDifference('craft 4 oak planks, using 1 log', 'craft 8 oak planks using 1 log')
  expect(marked(left)).toBe('craft [4 ]oak planks[, ]using 1 log')
  expect(marked(right)).toBe('craft [8 ]oak planks using 1 log')
  expect(marked(textDifference('take cup', 'take cup now').right)).toBe('take cup [now]')
})

test('a line end in place of a space is marked', () => {
  expect(marked(textDifference('one two', 'one\ntwo').right)).toBe('[one\n]two')
})

test('long texts are compared by lines, and longer ones as a whole between their equal ends', () => {
  const lines = (word: string, count: number) =>
    Array.from({ length: count }, (_, line) => `${line} ${line % 7 === 0 ? word : 'and'} the rest of it`)
  const [left, right] = [lines('here', 400).join('\n'), lines('there', 400).join('\n')]
  const difference = textDifference(left, right)
  expect(whole(difference.left)).toBe(left)
  expect(difference.left.slice(0, 2)).toEqual([
    { text: '0 here the rest of it\n', isOnlyHere: true },
    { text: lines('', 7).slice(1).join('\n').concat('\n'), isOnlyHere: false },
  ])
  const other = lines('', 3000).map((line, at) => (at === 0 || at === 2999 ? line : `other ${line}`))
  expect(textDifference(lines('', 3000).join('\n'), other.join('\n')).left).toHaveLength(3)
})
