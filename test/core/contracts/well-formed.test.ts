import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  clipStart,
  clipText,
  wellFormed,
  wellFormedItems,
} from '../../../shared/core/contracts/well-formed.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 20 })
/** Texts of half pairs, whole pairs and letters. */
const halves = fc
  .array(fc.constantFrom('\ud83d', '\udc00', '😀', 'a', '看'), { maxLength: 12 })
  .map((parts) => parts.join(''))
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(halves, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(halves, fc.constant('__proto__')), tie('value'), { maxKeys: 4 }),
  ),
})).value

test('half of a pair becomes U+FFFD in texts and names, and nothing else changes', () => {
  expect(wellFormed({ a: ['x\ud83d', { '\udc00': 1 }], b: '😀', c: null })).toEqual({
    a: ['x\uFFFD', { '\uFFFD': 1 }],
    b: '😀',
    c: null,
  })
  const whole = { text: '看板 😀', list: [1, true, null] }
  expect(wellFormed(whole)).toBe(whole)
  const bytes = { body: new Uint8Array([1, 2]), text: '\ud83d' }
  expect(wellFormed(bytes).body).toBe(bytes.body)
})

test('whatever comes in, its JSON can be written as UTF-8 and read back', () => {
  fc.assert(
    fc.property(json, (value) => {
      const text = JSON.stringify(wellFormed(value))
      expect(text).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i)
      expect(Buffer.from(text).toString()).toBe(text)
    }),
  )
})

test('texts that nest as deep as files may are taken', () => {
  for (const text of ['whole', 'half \ud83d']) {
    let value: unknown = text
    for (let depth = 0; depth < 100_000; depth++) value = [value]
    let read: unknown = wellFormed(value)
    while (Array.isArray(read)) [read] = read
    expect(read).toBe(text.toWellFormed())
  }
})

test('a text that is cut is whole where it was whole, and loses one unit at most', () => {
  fc.assert(
    fc.property(anyText, fc.nat({ max: 24 }), (text, longest) => {
      for (const cut of [clipText(text, longest), clipStart(text, longest)]) {
        expect(cut.isWellFormed()).toBe(true)
        expect(cut.length).toBeLessThanOrEqual(longest)
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(longest, text.length) - 1)
      }
      expect(text.startsWith(clipText(text, longest))).toBe(true)
      expect(text.endsWith(clipStart(text, longest))).toBe(true)
    }),
  )
  expect([clipText('a😀', 2), clipText('a😀', 3), clipStart('😀a', 2), clipStart('😀a', 3)]).toEqual([
    'a',
    'a😀',
    'a',
    '😀a',
  ])
  expect([clipText('ab', 0), clipText('ab', -1), clipStart('ab', 0), clipText('ab', 5)]).toEqual([
    '',
    '',
    '',
    'ab',
  ])
})

test('items of a list, seen before or not, come out as each alone', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ text: fc.oneof(halves, anyText) }), { maxLength: 8 }), (items) => {
      const alone = items.map((item) => wellFormed(item))
      for (const seen of [items, items.toReversed(), items]) {
        const expected = seen === items ? alone : alone.toReversed()
        expect(wellFormedItems(seen)).toEqual(expected)
      }
      const whole = items.filter((item, at) => alone[at] === item)
      expect(wellFormedItems(whole)).toBe(whole)
    }),
  )
})
