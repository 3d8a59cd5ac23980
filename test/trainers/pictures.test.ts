import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { pages, pictured, writePictured } from './pictured-folders.ts'
import { runPython } from './run-python.ts'

const wanted = [
  { trainer: 'datasets', kind: 'sft', format: 'parquet' },
  { trainer: 'datasets', kind: 'step-preference', format: 'parquet' },
  { trainer: 'trl', kind: 'sft', format: 'trl' },
  { trainer: 'trl', kind: 'step-preference', format: 'trl' },
  { trainer: 'llama-factory', kind: 'sft', format: 'llama-factory' },
] as const
let loaded: unknown[] = []
const [first, second, third] = pages.map(({ seen }) => seen)

beforeAll(async () => {
  const jobs = wanted.map(async ({ trainer, kind, format }) => {
    const folder = join(inject('folder'), 'pictures', kind, format)
    await writePictured(folder, kind, format)
    // It reads no gzip: `espalier export` unpacks its files.
    if (format === 'llama-factory') await unpack(join(folder, 'data-00001.jsonl'))
    return { folder, trainer }
  })
  loaded = await runPython('load_pictures.py', await Promise.all(jobs), inject('readers'))
})

async function unpack(path: string): Promise<void> {
  await pipeline(createReadStream(`${path}.gz`), createGunzip(), createWriteStream(path))
}

describe('datasets.load_dataset', () => {
  test('makes PIL images of the pictures of Parquet files, in the order of the turns', () => {
    expect(loaded[0]).toEqual([[first], [first, second, third], []])
    expect(loaded[1]).toEqual([[second]])
  })
})

describe('TRL', () => {
  test('puts the pictures of a prompt into its places', () => {
    const system = ['system', 'You act on pages.']
    const page = ['user', 'Page 1.', first]
    expect(loaded[2]).toEqual([
      [[system, page], [['assistant', 'click 1']]],
      [
        [system, page, ['assistant', 'click 1'], ['user', 'Pages 2.', second, third]],
        [['assistant', 'stop']],
      ],
      [[system, ['user', 'No page.']], [['assistant', 'wait']]],
    ])
    expect(loaded[3]).toEqual([
      [[system, ['user', 'Page 2.', second]], [['assistant', 'stop']], [['assistant', 'click 9']]],
    ])
  })
})

describe('LLaMA-Factory', () => {
  test('finds the file of every place', () => {
    const rows = loaded[4] as {
      prompt: { content: string }[]
      response: { content: string }[]
      images: unknown[]
    }[]
    expect(rows.map(({ images }) => images)).toEqual([[first], [first, second, third], []])
    expect(
      rows.map(({ prompt }) => prompt.map(({ content }) => content.split('<image>').length - 1)),
    ).toEqual([[1], [1, 0, 2], [0]])
    expect(rows.map(({ response }) => response.map(({ content }) => content))).toEqual([
      ['click 1'],
      ['stop'],
      ['wait'],
    ])
    expect(rows).toHaveLength(pictured.sft.length)
  })
})
