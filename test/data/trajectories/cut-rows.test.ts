import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutRows } from '../../../shared/data/trajectories/cut-rows.ts'
import { allOf, chunksOf } from './read-text.ts'

async function cut(content: string | Uint8Array, chunk = Number.POSITIVE_INFINITY) {
  const rows = await allOf(cutRows(chunksOf(content, chunk)))
  return rows.map((row) => ({
    line: row.line,
    ...('fault' in row ? { fault: row.fault } : { text: Buffer.from(row.bytes).toString() }),
  }))
}

test('JSON Lines are rows by line, blank ones left out, with or without an end', async () => {
  expect(await cut('{"a":1}\n\n  \n{"b":"\\n"}\r\n{"c":[2]}')).toEqual([
    { line: 1, text: '{"a":1}' },
    { line: 4, text: '{"b":"\\n"}\r' },
    { line: 5, text: '{"c":[2]}' },
  ])
})

test('a list is rows by item, however it is laid out', async () => {
  expect(await cut('\ufeff[\n  {"a": "],{\\"["},\n  {\n    "b": [1, 2]\n  }, 3\n]\n')).toEqual([
    { line: 2, text: '{"a": "],{\\"["}' },
    { line: 3, text: '{\n    "b": [1, 2]\n  }' },
    { line: 5, text: '3\n' },
  ])
  expect(await cut('[]')).toEqual([])
  expect(await cut('[{"a":1},{"b":2}]')).toHaveLength(2)
})

test('an object over several lines is one row', async () => {
  const text = '{\n  "a": {"b": "}"}\n}'
  expect(await cut(`${text}\n`)).toEqual([{ line: 1, text }])
})

test('an empty file has no rows', async () => {
  expect(await cut('')).toEqual([])
  expect(await cut(' \n\n')).toEqual([])
})

test('a broken line of JSON Lines costs itself, also the first', async () => {
  expect(await cut('{"a":\n{"b":2}\n{"c":3}')).toMatchObject([{ line: 1 }, { line: 2 }, { line: 3 }])
})

test('a line of zero bytes, as a crash leaves it, is a row that is broken, not a blank one', async () => {
  expect(await cut('{"a":1}\n\0\0\0\n \t\r\n{"b":2}')).toMatchObject([
    { line: 1 },
    { line: 2, text: '\0\0\0' },
    { line: 4 },
  ])
})

test('a list that breaks off gives what was whole, and says where it broke off', async () => {
  expect(await cut('[{"a":1},\n{"b":2},\n{"c":"3')).toMatchObject([
    { line: 1, text: '{"a":1}' },
    { line: 2, text: '{"b":2}' },
    { line: 3, fault: expect.stringContaining('never closed') },
  ])
})

test('what stands after the end is said', async () => {
  expect(await cut('[{"a":1}]\n{"b":2}')).toMatchObject([
    { line: 1, text: '{"a":1}' },
    { line: 2, fault: expect.stringContaining('after the end') },
  ])
})

test.each([
  ['UTF-16 with a mark', Buffer.from('\ufeff[{"a":1}]', 'utf16le'), 'UTF-16 (little endian)'],
  ['UTF-16 without one', Buffer.from('[{"a":1}]', 'utf16le'), 'UTF-16 without its mark'],
  ['UTF-16, the other way round', Buffer.from('\ufeff[{"a":1}]', 'utf16le').swap16(), 'UTF-16 (big endian)'],
  ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), 'gzip'],
  ['Parquet', Buffer.from('PAR1....'), 'Parquet'],
  ['ZIP', Buffer.from('PK\x03\x04....'), 'ZIP'],
])('a file in %s is said to look like it', async (_, content, looks) => {
  expect(await cut(content)).toEqual([{ line: 1, fault: expect.stringContaining(looks) }])
})

const anyRow = fc.dictionary(
  fc.string(),
  fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.json().map((text) => JSON.parse(text)),
  ),
)

test('rows are the same however a file comes in pieces, and are what was written', async () => {
  const layouts = fc.constantFrom<(rows: object[]) => string>(
    (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
    (rows) => JSON.stringify(rows),
    (rows) => JSON.stringify(rows, null, 2),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRow),
      layouts,
      fc.integer({ min: 1, max: 40 }),
      async (rows, layout, chunk) => {
        const found = await cut(layout(rows), chunk)
        expect(found.map((row) => JSON.parse('text' in row ? String(row.text) : 'null'))).toEqual(
          JSON.parse(JSON.stringify(rows)),
        )
      },
    ),
    { numRuns: 200 },
  )
})
