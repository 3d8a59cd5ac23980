import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ConversationRow, DatasetRow } from '../../../shared/core/contracts/dataset-row.ts'
import type { Message } from '../../../shared/core/contracts/message.ts'
import type { Picture } from '../../../shared/core/contracts/picture.ts'
import type { TrajectoryFormat } from '../../../shared/core/contracts/trajectory-import.ts'
import { messagesOf, rowPictures } from '../../../shared/data/datasets/build/settle-pictures.ts'
import { datasetFormats, findFormat } from '../../../shared/data/formats/formats.ts'
import { pictureFile, readPictureFile } from '../../../shared/data/formats/picture-names.ts'
import { UnfitRowError } from '../../../shared/data/formats/trainer-format.ts'
import { readText, rejectionsOf } from '../trajectories/read-text.ts'
import { formatFacts, pairOf, samples, says, sees, system, talk, weighs, write } from './sample-rows.ts'

const page = (digit: number, media_type = 'image/png'): Picture => ({
  type: 'blob',
  sha256: digit.toString(16).repeat(64),
  media_type,
  width: 4,
  height: 4,
})
const looks = (content: string, ...pictures: Picture[]): Message => ({ role: 'user', content, pictures })

const prompt = [
  system,
  looks('Page 1.', page(1)),
  says('click'),
  looks('Page 2.', page(2), page(3, 'image/webp')),
]
const rows: Record<string, DatasetRow> = {
  ...samples,
  sft: talk(
    system,
    looks('Page 1.', page(1)),
    weighs('click', 0),
    looks('Page 2.', page(2), page(3, 'image/webp')),
    weighs('stop', 1),
  ),
  preference: { ...pairOf([says('stop')], [says('go')]), prompt },
  'step-preference': { ...pairOf([says('stop')], [says('go')]), prompt },
  unpaired: { type: 'unpaired', prompt, completion: [says('stop')], label: false },
  prompts: { type: 'prompt', prompt: [system, looks('Page 1.', page(1))], reference: { task: 'a' } },
}
const rowOf = (kind: string): DatasetRow =>
  rows[kind === 'revision' || kind === 'exploration' ? 'sft' : kind] as DatasetRow

const pictured = datasetFormats.flatMap(({ id, pictures }) =>
  (pictures?.kinds ?? []).map((kind) => ({ format: id as TrajectoryFormat, kind })),
)

test('a picture is named by its digest and its type', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 15 }),
      fc.constantFrom('image/png', 'image/jpeg', 'image/webp'),
      (digit, type) => {
        const { sha256, media_type } = page(digit, type)
        expect(readPictureFile(pictureFile({ sha256, media_type }))).toEqual({ sha256, media_type })
      },
    ),
  )
  for (const name of [
    'images/../secret.png',
    'images/ab.png',
    `${'a'.repeat(64)}.png`,
    `images/${'a'.repeat(64)}.svg`,
  ]) {
    expect(readPictureFile(name)).toBeNull()
  }
})

describe.each(pictured)('$kind in $format', ({ format, kind }) => {
  const row = rowOf(kind)
  const data = write(format, kind, row, { isPictured: true })

  test('shows every turn with its pictures', () => {
    const shown = findFormat(format)
      .show(data, kind)
      .flatMap(({ turns }) => turns)
    expect(shown.map(({ role, content }) => ({ role, content }))).toEqual(
      messagesOf(row).map(({ role, content }) => ({ role, content })),
    )
    expect(shown.flatMap(({ pictures = [] }) => pictures.map(pictureFile))).toEqual(
      rowPictures(row).map(pictureFile),
    )
    const places = shown.map(({ pictures = [] }) => pictures.length)
    expect(places).toEqual(messagesOf(row).map(({ pictures = [] }) => pictures.length))
  })

  test('is refused as an import, naming what shows pictures', async () => {
    if (row.type !== 'conversation') return
    const { rejected, taken } = rejectionsOf(await readText(JSON.stringify(data), { format }))
    expect(taken).toEqual([])
    expect(rejected[0]?.reason).toContain('shows pictures')
  })

  test('says in its README how pictures are loaded', () => {
    expect(findFormat(format).usage(formatFacts(kind, { isPictured: true }))).toMatch(/pictures|images/i)
  })
})

test('rows without pictures have the columns of those with some', () => {
  for (const { format, kind } of pictured) {
    if (format === 'openai') continue
    const data = write(format, kind, rowOf(kind), { isPictured: true })
    const texts = JSON.parse(
      JSON.stringify(rowOf(kind), (key, value) => (key === 'pictures' ? undefined : value)),
    )
    const other = write(format, kind, texts, { isPictured: true })
    expect(Object.keys(other)).toEqual(Object.keys(data))
    expect(other.images).toEqual([])
  }
})

test.each([
  [
    'openai',
    talk(looks('Many.', ...Array.from({ length: 11 }, (_, at) => page(at))), weighs('stop', 1)),
    'at most 10',
  ],
  [
    'trl',
    talk(looks('Page.', page(1)), weighs('a', 1), sees('b'), weighs('c', 1)),
    'the environment’s words',
  ],
  ['trl', pairOf([says('a'), looks('Page.', page(1)), says('b')], [says('c')]), 'of the prompt alone'],
  ['llama-factory', talk(looks('Page.', page(1)), weighs('an <image> of mine', 1)), '<image>'],
] as const)('a row that %s would misread is unfit', (format, row, reason) => {
  const kind = row.type === 'preference' ? 'preference' : 'sft'
  const attempt = () => write(format, kind, row as DatasetRow, { isPictured: true })
  expect(attempt).toThrow(UnfitRowError)
  expect(attempt).toThrow(reason)
})

test('a step of ATIF that shows a picture is refused, and rows with empty columns of pictures are read', async () => {
  const part = { type: 'image', source: { media_type: 'image/png', path: 'a.png' } }
  const step = { source: 'agent', message: 'Action: look', observation: { results: [{ content: [part] }] } }
  const row = {
    schema_version: 'ATIF-v1.6',
    agent: { name: 'a' },
    steps: [{ source: 'user', message: 'Go.' }, step],
  }
  const { rejected } = rejectionsOf(await readText(JSON.stringify(row), { format: 'atif' }))
  expect(rejected[0]).toMatchObject({ field: 'steps[1]', reason: expect.stringContaining('shows pictures') })
  const texts: ConversationRow = talk(sees('Goal.'), weighs('stop', 1))
  const read = rejectionsOf(
    await readText(JSON.stringify(write('llama-factory', 'sft', texts, { isPictured: true })), {
      format: 'llama-factory',
    }),
  )
  expect(read.rejected).toEqual([])
})
