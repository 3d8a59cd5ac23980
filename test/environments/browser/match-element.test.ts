import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchElement } from '../../../shared/environments/browser/observations/match-element.ts'

/** A page by its lines, each of which has an id. */
function pageOf(lines: readonly string[]) {
  return {
    elements: new Map(lines.map((text) => [/\[(\d+)\]/.exec(text)?.[1] ?? '', { text, bounds: undefined }])),
  }
}

test.each([
  [
    'an id that has shifted',
    ["[1] link 'Home'", "\t[2] button 'Buy' focused: True"],
    '2',
    ["[5] button 'Buy'"],
    '5',
  ],
  [
    'the second of equals',
    ["[1] link 'Add'", "[2] link 'Add'"],
    '2',
    ["[1] link 'News'", "[2] link 'Add'", "[3] link 'Add'"],
    '3',
  ],
  ['another role is another element', ["[1] link 'Add'"], '1', ["[1] button 'Add'"], undefined],
  [
    'a name of which a word has changed',
    ["[1] link 'posted by ann 3 hours ago'"],
    '1',
    ["[4] link 'posted by ann 4 hours ago'"],
    '4',
  ],
  [
    'a name that is another',
    ["[1] link 'Lamps and desks'"],
    '1',
    ["[1] link 'Orders and reviews'"],
    undefined,
  ],
  ['marks', ['[1] [A] [Home]', '[2] [BUTTON] [Buy]'], '2', ['[7] [BUTTON] [Buy]'], '7'],
  ['an id that was never shown', ["[1] link 'Add'"], '9', ["[9] link 'Add'"], undefined],
])('finds %s', (_name, before, id, after, found) => {
  expect(matchElement(id, before.join('\n'), pageOf(after))).toBe(found)
})

test('every element of a page is found again when its ids are others', () => {
  const line = fc.tuple(fc.constantFrom('link', 'button', 'textbox'), fc.constantFrom('a', 'b c', "it's", ''))
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 50 }),
      (lines, shift) => {
        const written = (by: number) =>
          lines.map(([role, name], index) => `[${index + 1 + by}] ${role} ${JSON.stringify(name)}`)
        for (const index of lines.keys()) {
          expect(matchElement(String(index + 1), written(0).join('\n'), pageOf(written(shift)))).toBe(
            String(index + 1 + shift),
          )
        }
      },
    ),
  )
})
