import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { DatasetPreviewRow, LineageRow } from '../../../shared/core/contracts/dataset.ts'
import { GzipLines } from '../../../shared/data/datasets/gzip-lines.ts'
import { openJsonFile } from '../../../shared/data/datasets/open-row-file.ts'
import { openParquetFile } from '../../../shared/data/datasets/parquet-file.ts'
import { previewRows } from '../../../shared/data/datasets/preview-rows.ts'
import { readParquetRows } from '../../../shared/data/datasets/read-parquet-rows.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'

const lineage = (row: number): LineageRow => ({
  row,
  kind: 'sft',
  environment: 'textcraft',
  data: null,
  task: `t${row}`,
  task_split: 'train',
  tokens: 10,
  sha256: 'ab',
  origin: {
    source: 'run-1',
    episode: `ep-${row}`,
    attempt: 1,
    method: 'react',
    model: 'simulated/simulated',
    reward: 1,
    node_ids: [1],
  },
  other: null,
  schema_version: 'espalier-lineage-v2',
})

/** Text that does not pack well, so that a file is larger than what is fetched at once. */
const noise = (row: number) =>
  Array.from({ length: 20 }, (_, index) => createHash('sha256').update(`${row}/${index}`).digest('hex')).join(
    ' ',
  )

const saying = (row: number, said: string) =>
  JSON.stringify({
    messages: [
      { role: 'user', content: `Task ${row}.` },
      { role: 'assistant', content: said },
    ],
  })

const text = (row: number) => saying(row, `line\u2028${noise(row)}`)

/** Which row it is, by its first turn. */
const numberOf = ({ data }: DatasetPreviewRow) => Number(/\d+/.exec(JSON.stringify(data.messages))?.[0])

async function stored(
  split: string | null,
  shards: number[],
  container: 'jsonl' | 'json' = 'jsonl',
  textOf: (row: number) => string = text,
) {
  const { world, close } = await openOwnWorld()
  onTestFinished(close)
  const files = []
  let row = 0
  for (const [index, count] of shards.entries()) {
    const number = `0000${index + 1}`
    const lines = new GzipLines()
    const list = openJsonFile()
    const origins = new GzipLines()
    for (let at = 0; at < count; at += 1, row += 1) {
      await lines.write(textOf(row))
      await list.add(textOf(row))
      await origins.write(JSON.stringify(lineage(row)))
    }
    const data = container === 'jsonl' ? await lines.end() : await list.end()
    for (const [name, { body, bytes, sha256 }] of [
      [`${split ?? 'data'}-${number}.${container}.gz`, data],
      [`lineage-${split === null ? '' : `${split}-`}${number}.jsonl.gz`, await origins.end()],
    ] as const) {
      const key = `datasets/d/${name}`
      await world.objects.put(key, body)
      files.push({ name, rows: count, bytes, sha256, key })
    }
  }
  files.push({ name: 'README.md', rows: null, bytes: 1, sha256: 'ab', key: 'datasets/d/README.md' })
  let read = 0
  const objects: Parameters<typeof previewRows>[0] = {
    sign: world.objects.sign,
    async get(key, range) {
      const object = await world.objects.get(key, range)
      read += object?.body.byteLength ?? 0
      return object
    },
  }
  return { dataset: { format: 'openai' as const, files }, files, objects, readBytes: () => read }
}

test.each(['jsonl', 'json'] as const)(
  'pages of rows come with their lineage, over shards (%s)',
  async (container) => {
    const { dataset, objects } = await stored(null, [3, 4, 2], container)
    const seen: unknown[] = []
    let after: number | undefined
    for (;;) {
      const page = await previewRows(objects, dataset, { limit: 2, after })
      seen.push(...page.data)
      if (!page.has_more) break
      after = Number(page.last_id)
    }
    const expected = Array.from({ length: 9 }, (_, row) => ({
      id: String(row),
      object: 'dataset_row',
      data: JSON.parse(text(row)),
      parts: [
        {
          name: 'messages',
          turns: [
            { role: 'user', content: `Task ${row}.`, learned: false },
            { role: 'assistant', content: `line\u2028${noise(row)}`, learned: true },
          ],
        },
      ],
      lineage: lineage(row),
    }))
    expect(seen).toEqual(expected)
  },
)

test('the first rows of a large file are read without the rest of it', async () => {
  const { dataset, files, objects, readBytes } = await stored(null, [2000])
  const whole = files[0]?.bytes ?? 0
  const page = await previewRows(objects, dataset, { limit: 5 })
  expect(page.data.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4'])
  expect(readBytes()).toBeLessThan(whole / 2)
  const far = await previewRows(objects, dataset, { limit: 5, after: 1996 })
  expect(far.data.map(numberOf)).toEqual([1997, 1998, 1999])
  expect(far.has_more).toBe(false)
})

test('a page of long rows ends early, fits into an answer, and the next begins where it ended', async () => {
  const long = (row: number) => saying(row, 'ä'.repeat(row === 6 ? 2_000_000 : 300_000))
  const { dataset, objects } = await stored(null, [5, 3], 'jsonl', long)
  const seen: unknown[] = []
  const sizes: number[] = []
  for (let after: number | undefined; ; ) {
    const page = await previewRows(objects, dataset, { limit: 100, after })
    seen.push(...page.data.map(numberOf))
    sizes.push(page.data.length)
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(6_000_000)
    if (!page.has_more) break
    after = Number(page.last_id)
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(sizes).toEqual([3, 3, 1, 1])
})

test('of a file of very long rows no more is unpacked than a page shows, and a row is whole however long', async () => {
  const { dataset, objects, readBytes } = await stored(null, [40], 'json', (row) =>
    saying(row, noise(row).repeat(4000)),
  )
  const [{ bytes = 0 } = {}] = dataset.files
  const page = await previewRows(objects, dataset, { limit: 40 })
  expect(page.data.map(numberOf)).toEqual([0])
  expect(page.data[0]?.data).toEqual(JSON.parse(saying(0, noise(0).repeat(4000))))
  expect(page.has_more).toBe(true)
  expect(readBytes()).toBeLessThan(bytes / 2)
})

test('a file that ends before its rows do is said to, and is no page without an end', async () => {
  const { dataset, objects } = await stored(null, [2])
  const files = dataset.files.map((file) => (file.rows === null ? file : { ...file, rows: 4 }))
  const rows = (after?: number) => previewRows(objects, { ...dataset, files }, { limit: 10, after })
  expect((await rows()).data.map(numberOf)).toEqual([0, 1])
  await expect(rows(1)).rejects.toMatchObject({ code: 'storage_failed' })
  const short = await stored(null, [1])
  const damaged = {
    sign: objects.sign,
    get: (key: string, range?: { start: number; end: number }) =>
      (key.includes('lineage') ? short : { objects }).objects.get(key, range),
  }
  await expect(previewRows(damaged, dataset, { limit: 2 })).rejects.toThrow('ends before its row 1.')
})

test('a split is read by its name, and another is refused with those that there are', async () => {
  const { dataset, objects } = await stored('validation', [2])
  const page = await previewRows(objects, dataset, { split: 'validation', limit: 10 })
  expect(page.data).toHaveLength(2)
  await expect(previewRows(objects, dataset, { split: 'train', limit: 10 })).rejects.toThrow(
    'The dataset has no split "train". Choose one of: validation.',
  )
})

test('where no split is named, it is train, or the first; without splits all rows are train', async () => {
  const [validation, train, whole] = [
    await stored('validation', [1]),
    await stored('train', [2]),
    await stored(null, [3]),
  ]
  const rowsOf = async ({ dataset, objects }: Awaited<ReturnType<typeof stored>>, split?: string) =>
    (await previewRows(objects, dataset, { split, limit: 10 })).data.length
  const both = {
    ...train,
    dataset: { ...train.dataset, files: [...validation.files, ...train.files] },
  }
  expect(await rowsOf(both)).toBe(2)
  expect(await rowsOf(validation)).toBe(1)
  expect(await rowsOf(whole)).toBe(3)
  expect(await rowsOf(whole, 'train')).toBe(3)
  await expect(rowsOf(whole, 'test')).rejects.toThrow('Choose one of: train.')
})

test('a dataset without rows has an empty page', async () => {
  const { dataset, objects } = await stored(null, [])
  expect(await previewRows(objects, dataset, { limit: 10 })).toMatchObject({
    data: [],
    has_more: false,
  })
})

test('of a row that is too long to show, the longest turns are cut and say by how much; its data is whole', async () => {
  const { dataset, objects } = await stored(null, [1], 'jsonl', (row) => saying(row, 'a'.repeat(600_000)))
  const [row] = (await previewRows(objects, dataset, { limit: 1 })).data
  const [asked, said] = row?.parts[0]?.turns ?? []
  expect(asked).toEqual({ role: 'user', content: 'Task 0.', learned: false })
  expect(said).toEqual({
    role: 'assistant',
    content: 'a'.repeat(250_000),
    cut: 350_000,
    learned: true,
  })
  expect(JSON.stringify(row?.data)).toContain('a'.repeat(600_000))
})

test('rows in columns are shown like others, from where the page begins', async () => {
  const { files, objects, ...rest } = await stored(null, [5])
  const { world, close } = await openOwnWorld()
  onTestFinished(close)
  const columns = openParquetFile()
  for (let row = 0; row < 5; row += 1) {
    const messages = [
      { role: 'user', content: `Task ${row}.`, weight: null },
      { role: 'assistant', content: noise(row), weight: row % 2 },
    ]
    await columns.add(JSON.stringify({ type: 'conversation', messages }))
  }
  const { body, bytes, sha256 } = await columns.end()
  await world.objects.put('columns', body)
  const parquet = { name: 'data-00001.parquet', rows: 5, bytes, sha256, key: 'columns' }
  const both: typeof objects = {
    sign: objects.sign,
    get: (key, range) => (key === 'columns' ? world.objects : objects).get(key, range),
  }
  const dataset = { format: 'parquet' as const, files: [parquet, ...files.slice(1)] }
  const page = await previewRows(both, dataset, { limit: 2, after: 1 })
  expect(page.has_more).toBe(true)
  expect(page.data.map(numberOf)).toEqual([2, 3])
  expect(page.data.map(({ lineage }) => lineage.row)).toEqual([2, 3])
  expect(page.data[1]?.parts[0]?.turns).toEqual([
    { role: 'user', content: 'Task 3.', learned: false },
    { role: 'assistant', content: noise(3), learned: true },
  ])
  expect(page.data[0]?.parts[0]?.turns[1]?.learned).toBe(false)
  expect(rest.readBytes()).toBeGreaterThan(0)
})

test('of row groups that are large together, the first are read, and the next page goes on behind', async () => {
  const { world, close } = await openOwnWorld()
  onTestFinished(close)
  const columns = openParquetFile()
  const said = (row: number) => `${row} `.repeat(4_500_000 / `${row} `.length)
  for (let row = 0; row < 12; row += 1) {
    const messages = [
      { role: 'user', content: `Task ${row}.`, weight: null },
      { role: 'assistant', content: said(row), weight: 1 },
    ]
    await columns.add(JSON.stringify({ type: 'conversation', messages }))
  }
  const { body, bytes } = await columns.end()
  await world.objects.put('columns', body)
  const file = { key: 'columns', bytes }
  const first = await readParquetRows(world.objects, file, { skip: 1, take: 11 })
  expect(first.length).toBeGreaterThan(1)
  expect(first.length).toBeLessThan(11)
  const next = await readParquetRows(world.objects, file, { skip: 1 + first.length, take: 1 })
  expect(JSON.stringify(next)).toContain(`Task ${1 + first.length}.`)
})
