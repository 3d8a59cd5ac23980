import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type DatasetFormatId,
  type DatasetKindId,
  datasetRequestSchema,
  datasetSchema,
} from '../../shared/core/contracts/dataset.ts'
import type { DatasetRow } from '../../shared/core/contracts/dataset-row.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { cardFrontMatter } from '../../shared/data/datasets/card-front-matter.ts'
import { datasetFormats, findFormat } from '../../shared/data/formats/formats.ts'
import { textKinds } from '../data/formats/sample-rows.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { calledSets, type DatasetSet } from './build-folders.ts'
import { canonicalRows, dataFiles, folderOf } from './canonical-rows.ts'
import { readRows } from './read-rows.ts'
import { runPython } from './run-python.ts'

const pairs = datasetFormats.flatMap(({ id: format, kinds }) => {
  const texts = textKinds.filter((kind) => kinds.includes(kind))
  const sets: DatasetSet[] = kinds.includes('sft') ? [...texts, 'experts'] : texts
  return sets.map((set) => ({ set, format }))
})
const called = calledSets.flatMap(({ set, formats }) => formats.map((format) => ({ set, format })))
const all = [...pairs, ...called]
const divided = { set: 'divided', format: 'trl' } as const
let loaded: Record<string, JsonObject[]>[] = []

beforeAll(async () => {
  const jobs = [...all, divided].map(({ set, format }) => ({ folder: folderOf(set, format) }))
  loaded = await runPython('load_folders.py', jobs)
})

describe('datasets.load_dataset', () => {
  test.each(all.map((pair, index) => ({ ...pair, index })))(
    'reads the folder of $set in $format, its data and nothing else',
    async ({ set, format, index }) => {
      const { train = [], ...others } = loaded[index] ?? {}
      expect(others).toEqual({})
      expect(train).toHaveLength((await canonicalRows(set)).length)
      const files = await dataFiles(set, format)
      const written =
        format === 'parquet' ? await canonicalRows(set) : (await Promise.all(files.map(readRows))).flat()
      expect(train.map(withoutNulls)).toEqual(written.map(withoutNulls))
    },
  )
})

test('datasets.load_dataset finds the splits of a folder, over all their files', async () => {
  const folder = folderOf(divided.set, divided.format)
  const manifest = datasetSchema.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  const found = Object.entries(loaded.at(-1) ?? {}).map(([split, rows]) => [split, rows.length])
  expect(found).toEqual(Object.entries(manifest.splits).map(([split, { rows }]) => [split, rows]))
  expect(manifest.files.filter(({ name }) => /^(train|validation)-/.test(name)).length).toBeGreaterThan(2)
})

const message = { role: 'user' as const, content: 'Goal: a stick.' }
const answer = { role: 'assistant' as const, content: 'get log' }
const steps = { type: 'process' as const, prompt: [message], completions: ['get log'], labels: [true] }
const played = { environment: 'textcraft', task: 'a', seed: 0, attempts: 1 }
const asked = { type: 'prompt' as const, prompt: [message] }
const promptRows: DatasetRow[] = [
  { ...asked, reference: { ...played, data: null, mean_reward: 1, success_rate: 1 } },
  { ...asked, reference: { ...played, data: 'abc', mean_reward: 0.5, success_rate: 0.5 } },
]

test.each<[DatasetKindId, DatasetFormatId, DatasetRow[]]>([
  ['process-reward', 'trl', [1, 0.5].map((value) => ({ ...steps, values: [value] }))],
  ['prompts', 'trl', promptRows],
  ['prompts', 'openai', promptRows],
  [
    'revision',
    'openai',
    [
      { type: 'conversation', messages: [message, { ...answer, weight: 1 }] },
      {
        type: 'conversation',
        messages: [message, { ...answer, weight: 0 }, message, { ...answer, weight: 1 }],
      },
    ],
  ],
])('a later file of %s in %s may hold what the first does not', async (kind, format, rows) => {
  const folder = await temporaryFolder()
  const facts = { kind, environment: 'textcraft', task: 'a', row: 0, reward: 1, other_reward: null }
  const written = rows.map((row) => findFormat(format).write(row, facts))
  const files = written.map((_, index) => `data-0000${index + 1}.jsonl`)
  for (const [index, row] of written.entries())
    await writeFile(join(folder, files[index] ?? ''), JSON.stringify(row))
  const request = datasetRequestSchema.parse({ kind, format })
  const front = cardFrontMatter({
    dataset: { request, rows: rows.length, files: [] },
    facts: { kind, title: 'Rows', files: { train: files }, rows: rows.length },
    sources: [],
  })
  await writeFile(join(folder, 'README.md'), front)
  const [found] = (await runPython('load_folders.py', [{ folder }])) as Record<string, JsonObject[]>[]
  expect(found?.train?.map(withoutNulls)).toEqual(written.map(withoutNulls))
})

/** Columns are the same for every row, so what one row lacks is null there. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== null)
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutNulls(each)]))
}
