import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { describe, expect, test } from 'vitest'
import { type DatasetKindId, datasetKindSchema } from '../../../shared/core/contracts/dataset.ts'
import type { PackedFile } from '../../../shared/data/datasets/gzip-lines.ts'
import { fileExtension, openRowFile } from '../../../shared/data/datasets/open-row-file.ts'
import { sees, talk, weighs, write } from '../formats/sample-rows.ts'

const containers = ['jsonl', 'json', 'parquet'] as const

async function pack(container: (typeof containers)[number], rows: object[]): Promise<PackedFile> {
  const file = openRowFile({ container })
  for (const row of rows) await file.add(JSON.stringify(row))
  return file.end()
}

const unpack = ({ body }: PackedFile) => gunzipSync(body).toString('utf8')
const bufferOf = ({ body }: PackedFile) => new Uint8Array(body).buffer

const anyRows = fc.array(
  fc
    .string({ unit: 'grapheme' })
    .map((text) => talk(sees('Go.'), weighs(`x${text}`, 0), sees(text), weighs('end', 1))),
  { minLength: 1, maxLength: 20 },
)

test('JSON Lines hold a row a line, a JSON file one list', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, async (rows) => {
      const lines = unpack(await pack('jsonl', rows))
        .trimEnd()
        .split('\n')
      expect(lines.map((line) => JSON.parse(line))).toEqual(rows)
      expect(JSON.parse(unpack(await pack('json', rows)))).toEqual(rows)
    }),
  )
  expect(JSON.parse(unpack(await pack('json', [])))).toEqual([])
})

test('Parquet keeps texts, numbers and turns without a weight as they are', async () => {
  await fc.assert(
    fc.asyncProperty(anyRows, async (rows) => {
      const written = rows.map((row) => write('parquet', 'sft', row))
      const read = await parquetReadObjects({ file: bufferOf(await pack('parquet', written)) })
      expect(read).toEqual(written)
    }),
    { numRuns: 30 },
  )
})

test.each(datasetKindSchema.options)('Parquet gives rows of %s back', async (kind: DatasetKindId) => {
  const row = write('parquet', kind)
  expect(await parquetReadObjects({ file: bufferOf(await pack('parquet', [row, row])) })).toEqual([row, row])
})

describe('every container', () => {
  test.each(containers)(
    '%s: the same rows give the same bytes, and the digest is theirs',
    async (container) => {
      const rows = [write('parquet', 'sft'), write('parquet', 'sft')]
      const [one, other] = [await pack(container, rows), await pack(container, rows)]
      expect(Buffer.compare(one.body, other.body)).toBe(0)
      expect(one.sha256).toBe(other.sha256)
      expect(one.bytes).toBe(one.body.byteLength)
    },
  )

  test('ends as its format says', () => {
    const endings = containers.map((container) => fileExtension({ container }))
    expect(endings).toEqual(['.jsonl.gz', '.json.gz', '.parquet'])
  })
})

test('Parquet packs rows group by group, so that memory holds the rows of one', async () => {
  const long = 'word '.repeat(20_000)
  const rows = Array.from({ length: 200 }, (_, index) =>
    write('parquet', 'sft', talk(sees(`${index} ${long}`), weighs('end', 1))),
  )
  const file = bufferOf(await pack('parquet', rows))
  const groups = parquetMetadata(file).row_groups
  expect(groups.length).toBeGreaterThan(1)
  expect(groups.reduce((sum, { num_rows }) => sum + Number(num_rows), 0)).toBe(rows.length)
  expect(await parquetReadObjects({ file })).toEqual(rows)
})

test('a Parquet file takes rows of one type only, and some', async () => {
  const file = openRowFile({ container: 'parquet' })
  await file.add(JSON.stringify(write('parquet', 'sft')))
  await expect(file.add(JSON.stringify(write('parquet', 'unpaired')))).rejects.toThrow(
    /of the type "unpaired"/,
  )
  file.discard()
  await expect(openRowFile({ container: 'parquet' }).end()).rejects.toThrow(/without rows/)
})
