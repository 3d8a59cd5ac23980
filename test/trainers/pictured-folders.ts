import { hash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type DatasetFormatId,
  type DatasetKindId,
  datasetRequestSchema,
} from '../../shared/core/contracts/dataset.ts'
import type { DatasetRow } from '../../shared/core/contracts/dataset-row.ts'
import type { Picture } from '../../shared/core/contracts/picture.ts'
import { rowPictures } from '../../shared/data/datasets/build/settle-pictures.ts'
import { cardFrontMatter } from '../../shared/data/datasets/card-front-matter.ts'
import { openRowFile } from '../../shared/data/datasets/open-row-file.ts'
import { findFormat } from '../../shared/data/formats/formats.ts'
import { pictureFile } from '../../shared/data/formats/picture-names.ts'
import { drawPng } from '../support/draw-png.ts'

const [width, height] = [6, 4]

function draw(red: number) {
  const bytes = drawPng(width, height, [red, 0, 0])
  const picture: Picture = {
    type: 'blob',
    sha256: hash('sha256', bytes),
    media_type: 'image/png',
    width,
    height,
  }
  return { bytes, picture, seen: [width, height, red, 0, 0] }
}

/** Pictures of one colour each, with what a reader must see of them. */
export const pages = [10, 20, 30].map(draw)
const [first, second, third] = pages.map(({ picture }) => picture) as [Picture, Picture, Picture]

const looks = (content: string, ...pictures: Picture[]) => ({ role: 'user' as const, content, pictures })
const says = (content: string) => ({ role: 'assistant' as const, content })
const rules = { role: 'system' as const, content: 'You act on pages.' }

/** Rows with one picture, two in one turn, and none. */
export const pictured = {
  sft: [
    [looks('Page 1.', first), { ...says('click 1'), weight: 1 as const }],
    [
      looks('Page 1.', first),
      { ...says('click 1'), weight: 0 as const },
      looks('Pages 2.', second, third),
      { ...says('stop'), weight: 1 as const },
    ],
    [
      { role: 'user' as const, content: 'No page.' },
      { ...says('wait'), weight: 1 as const },
    ],
  ].map((turns) => ({ type: 'conversation' as const, messages: [rules, ...turns] })),
  'step-preference': [
    {
      type: 'preference' as const,
      prompt: [rules, looks('Page 2.', second)],
      chosen: [says('stop')],
      rejected: [says('click 9')],
    },
  ],
} satisfies Partial<Record<DatasetKindId, DatasetRow[]>>

/** A dataset of these rows in a folder, as `espalier export` leaves it. */
export async function writePictured(
  folder: string,
  kind: keyof typeof pictured,
  format: DatasetFormatId,
): Promise<void> {
  const writer = findFormat(format)
  const file = openRowFile(writer, true)
  const bytes = new Map(pages.map(({ picture, bytes }) => [pictureFile(picture), bytes] as const))
  for (const [row, each] of pictured[kind].entries()) {
    const facts = {
      kind,
      environment: 'pages',
      task: 'a',
      row,
      reward: 1,
      other_reward: null,
      isPictured: true,
    }
    const named = rowPictures(each).map((picture) => pictureFile(picture))
    const inside = writer.pictures?.place === 'files' ? [] : named
    await file.add(
      JSON.stringify(writer.write(each, facts)),
      new Map(inside.map((name) => [name, bytes.get(name) ?? new Uint8Array()])),
    )
  }
  const name = writer.container === 'parquet' ? 'data-00001.parquet' : 'data-00001.jsonl.gz'
  const facts = {
    kind,
    title: 'rows',
    files: { train: [name] },
    rows: pictured[kind].length,
    isPictured: true,
  }
  await mkdir(join(folder, 'images'), { recursive: true })
  await writeFile(join(folder, name), (await file.end()).body)
  for (const [path, body] of bytes) await writeFile(join(folder, path), body)
  for (const companion of writer.companions(facts))
    await writeFile(join(folder, companion.name), companion.text)
  const request = datasetRequestSchema.parse({ kind, format, pictures: 'show' })
  const dataset = { request, rows: facts.rows, files: [] }
  await writeFile(join(folder, 'README.md'), cardFrontMatter({ dataset, facts, sources: [] }))
}
