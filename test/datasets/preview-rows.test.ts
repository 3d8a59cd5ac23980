import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { LineageRow } from '../../shared/contracts/dataset.ts'
import { GzipLines } from '../../shared/datasets/gzip-lines.ts'
import { openJsonFile } from '../../shared/datasets/json-file.ts'
import { previewRows } from '../../shared/datasets/preview-rows.ts'
import { openTestWorld } from './open-test-world.ts'

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

const text = (row: number) => JSON.stringify({ row, said: `line\u2028${noise(row)}` })

async function stored(
  split: string | null,
  shards: number[],
  container: 'jsonl' | 'json' = 'jsonl',
  textOf: (row: number) => string = text,
) {
  const { world, close } = await openTestWorld()
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
    async get(key, range) {
      const object = await world.objects.get(key, range)
      read += object?.body.byteLength ?? 0
      return object
    },
  }
  return { files, objects, readBytes: () => read }
}

test.each(['jsonl', 'json'] as const)(
  'pages of rows come with their lineage, over shards (%s)',
  async (container) => {
    const { files, objects } = await stored(null, [3, 4, 2], container)
    const seen: unknown[] = []
    let after: number | undefined
    for (;;) {
      const page = await previewRows(objects, files, { limit: 2, after })
      seen.push(...page.data)
      if (!page.has_more) break
      after = Number(page.last_id)
    }
    const expected = Array.from({ length: 9 }, (_, row) => ({
      id: String(row),
      object: 'dataset_row',
      data: JSON.parse(text(row)),
      lineage: lineage(row),
    }))
    expect(seen).toEqual(expected)
  },
)

test('the first rows of a large file are read without the rest of it', async () => {
  const { files, objects, readBytes } = await stored(null, [2000])
  const whole = files[0]?.bytes ?? 0
  const page = await previewRows(objects, files, { limit: 5 })
  expect(page.data.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4'])
  expect(readBytes()).toBeLessThan(whole / 2)
  const far = await previewRows(objects, files, { limit: 5, after: 1996 })
  expect(far.data.map(({ data }) => data.row)).toEqual([1997, 1998, 1999])
  expect(far.has_more).toBe(false)
})

test('a page of long rows ends early, fits into an answer, and the next begins where it ended', async () => {
  const long = (row: number) => JSON.stringify({ row, said: 'a'.repeat(row === 6 ? 3_000_000 : 600_000) })
  const { files, objects } = await stored(null, [5, 3], 'jsonl', long)
  const seen: unknown[] = []
  const sizes: number[] = []
  for (let after: number | undefined; ; ) {
    const page = await previewRows(objects, files, { limit: 100, after })
    seen.push(...page.data.map(({ data }) => data.row))
    sizes.push(page.data.length)
    expect(JSON.stringify(page).length).toBeLessThan(6_000_000)
    if (!page.has_more) break
    after = Number(page.last_id)
  }
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(sizes).toEqual([4, 3, 1])
})

test('a split is read by its name, and another is refused with those that there are', async () => {
  const { files, objects } = await stored('validation', [2])
  const page = await previewRows(objects, files, { split: 'validation', limit: 10 })
  expect(page.data).toHaveLength(2)
  await expect(previewRows(objects, files, { split: 'train', limit: 10 })).rejects.toThrow(
    'There is no split "train" in the dataset. Choose from: validation.',
  )
})

test('where no split is named, it is train, or the first; without splits all rows are train', async () => {
  const [validation, train, whole] = [
    await stored('validation', [1]),
    await stored('train', [2]),
    await stored(null, [3]),
  ]
  const rowsOf = async ({ files, objects }: Awaited<ReturnType<typeof stored>>, split?: string) =>
    (await previewRows(objects, files, { split, limit: 10 })).data.length
  const both = { ...train, files: [...validation.files, ...train.files] }
  expect(await rowsOf(both)).toBe(2)
  expect(await rowsOf(validation)).toBe(1)
  expect(await rowsOf(whole)).toBe(3)
  expect(await rowsOf(whole, 'train')).toBe(3)
  await expect(rowsOf(whole, 'test')).rejects.toThrow('Choose from: train.')
})

test('a dataset without rows has an empty page', async () => {
  const { files, objects } = await stored(null, [])
  expect(await previewRows(objects, files, { limit: 10 })).toMatchObject({
    data: [],
    has_more: false,
  })
})

test('columns are not shown as rows', async () => {
  const { files, objects } = await stored(null, [1])
  const columns = files.map((file) => ({
    ...file,
    name: file.name.replace('data-00001.jsonl.gz', 'data-00001.parquet'),
  }))
  await expect(previewRows(objects, columns, { limit: 1 })).rejects.toThrow(
    'data-00001.parquet is not made of lines',
  )
})
