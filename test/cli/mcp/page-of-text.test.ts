import fc from 'fast-check'
import { expect, test } from 'vitest'
import { longestAnswer, pageOfText } from '../../../cli/mcp/open-tool-server.ts'

const note = /\n\n\[Characters (\d+) to (\d+) of (\d+)\. Go on with "offset": \2\.\]$/

/** All pages of a text, as a client reads them one after the other. */
function pagesOf(text: string): string[] {
  const pages: string[] = []
  for (let offset = 0; ; ) {
    const page = pageOfText(text, offset)
    pages.push(page)
    const next = Number(note.exec(page)?.[2] ?? offset)
    if (next === offset) return pages
    offset = next
  }
}

test('pages have a greatest length and lose no character, however long the lines are', () => {
  const line = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({ unit: 'grapheme', maxLength: 40 }).map((text) => text.repeat(1000)),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
      const text = lines.map((each) => each.replaceAll(/\p{Cc}/gu, ' ').trimEnd()).join('\n')
      const pages = pagesOf(text)
      for (const page of pages) expect(page.length).toBeLessThan(longestAnswer + 100)
      const joined = pages.map((page) => page.replace(note, '')).join('')
      expect(joined.replaceAll('\n', '')).toBe(text.replaceAll('\n', ''))
    }),
    { numRuns: 100 },
  )
})

test('control characters and halves of surrogate pairs do not reach the client', () => {
  expect(pageOfText('a\u001b[31mb\u0000\nc\ud800')).toBe('a [31mb\nc\ufffd')
})

test('an offset behind the end is named', () => {
  expect(pageOfText('short', 9)).toBe('The answer has 5 characters: nothing is at offset 9.')
})
