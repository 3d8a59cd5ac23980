import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvHeading, csvLines, toCsv, withoutMark } from '../../../shared/data/exports/csv.ts'
import { anyText, shownInCsv } from './odd-texts.ts'

test('a file begins with the byte-order mark, by which Excel opens 看板 right', () => {
  expect(Buffer.from(toCsv([{ board: '看板' }]))).toEqual(
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('board\r\n看板\r\n')]),
  )
  expect(withoutMark(toCsv([{ a: 1 }]))).toBe('a\r\n1\r\n')
  expect(withoutMark('a\r\n')).toBe('a\r\n')
})

test('rows that come later belong under the same heading', () => {
  const columns = ['a', 'b']
  const parts = [csvHeading(columns), csvLines([{ b: 2, a: 1 }], columns), csvLines([], columns)]
  expect(parts.join('')).toBe(toCsv([{ a: 1, b: 2 }]))
})

test('a text that a spreadsheet would run is none, and numbers stay numbers', () => {
  const row = { text: '=1+1', number: -0.25, unknown: null, quoted: 'a,"b"', truth: false }
  expect(withoutMark(toCsv([row]))).toBe(
    'text,number,unknown,quoted,truth\r\n\'=1+1,-0.25,,"a,""b""",false\r\n',
  )
  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
    expect(withoutMark(toCsv([{ a: `${start}1` }]))).toMatch(/^a\r\n"?'/)
  }
})

test('NUL, other control characters and lone surrogates become U+FFFD; tabs and lines stay', () => {
  expect(withoutMark(toCsv([{ a: 'x\0\x1b[31m\ud83d\ty\nz' }]))).toBe('a\r\n"x��[31m�\ty\nz"\r\n')
})

test('whatever texts are written, a strict reader reads them back', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ a: anyText, b: anyText }), { minLength: 1 }), (rows) => {
      const expected = rows.map(({ a, b }) => [shownInCsv(a), shownInCsv(b)])
      expect(readStrictly(withoutMark(toCsv(rows)))).toEqual([['a', 'b'], ...expected])
    }),
  )
})

/** Cells by RFC 4180. @throws Error for a quote within a cell that has none around it */
function readStrictly(csv: string): string[][] {
  const rows: string[][] = [[]]
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  while (cell.lastIndex < csv.length) {
    const at = cell.lastIndex
    const found = cell.exec(csv)
    if (found === null) throw new Error(`No cell at ${at}.`)
    const [, quoted, bare = '', end] = found
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare)
    if (end !== ',' && cell.lastIndex < csv.length) rows.push([])
  }
  return rows
}
