import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { readParquetRows } from '../../../shared/data/datasets/read-parquet-rows.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import {
  openPicturePlay,
  type PicturePlay,
  promptsOf,
  type SentMessage,
  sentPictures,
  storedRows,
  textsOf,
} from './played-pictures.ts'

const search = { id: 'mcts', iterations: 4, samples: 2, max_depth: 3 }
const held = { held_out: 'keep' as const }

async function open(): Promise<{ world: World; play: PicturePlay }> {
  const world = await openTestWorld()
  return { world, play: await openPicturePlay(world) }
}

const withoutWeights = (messages: unknown): SentMessage[] =>
  (messages as (SentMessage & { weight?: number })[]).map(({ role, content }) => ({ role, content }))

test('an answer is a row, whose prompt is what the model was sent, picture by picture', async () => {
  const { world, play } = await open()
  const run = await play.play('good')
  const dataset = await play.build({ runs: [run], gates: held })
  expect(dataset.request.pictures).toBe('show')
  const rows = await storedRows(world, dataset)
  expect(rows.map(({ messages }) => withoutWeights(messages).slice(0, -1))).toEqual(promptsOf(play.seen))
  expect(rows).toHaveLength(6)
  const weights = rows.map(({ messages }) => (messages as JsonObject[]).flatMap(({ weight }) => weight ?? []))
  expect(weights.at(-1)).toEqual([0, 0, 0, 0, 0, 1])
  expect(dataset.pictures).toMatchObject({ rows: 6, files: 6, left_out: 0, rows_without: 0 })
})

test('trajectories and steps are compared with the pictures of their prompts', async () => {
  const { world, play } = await open()
  const few = { max_pictures: 12 }
  const runs = [await play.play('good', few), await play.play('bad', few)]
  const asked = play.seen.length
  const whole = await play.build({ runs, kind: 'preference', format: 'parquet', gates: held })
  expect(whole).toMatchObject({ rows: 1, left_out: {} })
  const file = whole.files[0]
  const key = `datasets/${whole.id}/${file?.name}`
  const [row = {}] = await readParquetRows(
    world.objects,
    { key, bytes: file?.bytes ?? 0 },
    { skip: 0, take: 1 },
  )
  const { prompt, chosen, rejected, images } = row as Record<string, SentMessage[]>
  const last = (id: string) => promptsOf(play.seen.filter(({ body }) => body.model === id)).at(-1) ?? []
  expect(textsOf([...(prompt ?? []), ...(chosen ?? []).slice(0, -1)])).toEqual(textsOf(last('good')))
  const side = sentPictures(last('bad')).slice(1)
  expect(images).toEqual([...sentPictures(last('good')), ...side])
  expect(rejected?.filter(({ role }) => role === 'user')).toHaveLength(side.length)

  const tree = await play.play('search', { method: search })
  const steps = await play.build({ runs: [tree], kind: 'step-preference', format: 'trl', gates: held })
  const pairs = await storedRows(world, steps)
  expect(pairs.length).toBeGreaterThan(0)
  const sent = promptsOf(play.seen.slice(asked)).map((each) => ({
    texts: textsOf(each),
    images: sentPictures(each),
  }))
  for (const pair of pairs) {
    expect(sent).toContainEqual({ texts: textsOf(pair.prompt as SentMessage[]), images: pair.images })
  }
})

test('a trajectory with more pictures than one prompt showed is left out of kinds that make one row of it', async () => {
  const { play } = await open()
  const runs = [await play.play('good'), await play.play('bad')]
  const dataset = await play.build({ runs, kind: 'preference', format: 'parquet', gates: held })
  expect(dataset).toMatchObject({ rows: 0, left_out: { pictures_cut: 2 } })
  expect(dataset.warnings.join()).toContain('larger max_pictures')
})

test('a revision is a row for each of its learned answers, with the newest pictures before it', async () => {
  const { world, play } = await open()
  const run = await play.play('search', { method: search })
  const parameters = { first_error: 'end' }
  const dataset = await play.build({ runs: [run], kind: 'revision', parameters, gates: held })
  const rows = await storedRows(world, dataset)
  expect(rows.length).toBeGreaterThan(1)
  for (const { messages } of rows) {
    const turns = withoutWeights(messages)
    const pages = textsOf(turns).filter((text) => text.includes('Page '))
    expect(sentPictures(turns)).toHaveLength(Math.min(4, pages.length))
    expect(
      (messages as JsonObject[]).filter(({ weight }) => weight === 1 || weight === undefined).at(-1)?.role,
    ).toBe('assistant')
  }
})

describe('a run of pictures', () => {
  async function openPlayed() {
    const { world, play } = await open()
    return { world, play, run: await play.play('good') }
  }

  test.each([
    ['xtuner', 'sft', 'format', /has no place for them.*openai, trl, llama-factory, parquet/],
    ['openai', 'step-preference', 'format', /trl, llama-factory, parquet/],
    ['trl', 'process-reward', 'kind', /are texts alone/],
  ] as const)('is refused in %s for %s, with what holds pictures', async (format, kind, param, message) => {
    const { play, run } = await openPlayed()
    const asked = play.datasets.create({ ...base(run), format, kind, parameters: {} })
    await expect(asked).rejects.toMatchObject({ param, message: expect.stringMatching(message) })
    const foreseen = play.datasets.preview({ ...base(run), format, kind, parameters: {} })
    await expect(foreseen).rejects.toMatchObject({ param })
  })

  test('gives texts where pictures are left out, and says how many', async () => {
    const { play, run } = await openPlayed()
    const dataset = await play.build({ runs: [run], pictures: 'leave_out', format: 'xtuner', gates: held })
    expect(dataset).toMatchObject({ rows: 1, pictures: { rows: 0, files: 0, left_out: 6, rows_without: 1 } })
    expect(await play.datasets.readme(dataset.id)).toContain('**Left out**')
  })

  test('has its pictures beside rows that name files, each once, and addresses to look at them', async () => {
    const { play, run, world } = await openPlayed()
    const dataset = await play.build({ runs: [run], format: 'llama-factory', gates: held })
    const files = await play.datasets.pictures(dataset.id)
    expect(files).toHaveLength(6)
    for (const { key, bytes } of files) expect((await world.objects.head(key))?.size).toBe(bytes)
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(dataset.pictures?.bytes)
    const { data } = await play.datasets.rows(dataset.id, { limit: 10 })
    const rows = await storedRows(world, dataset)
    const named = new Set(rows.flatMap(({ images }) => images as string[]))
    expect(new Set(files.map(({ name }) => name))).toEqual(named)
    const shown = data.at(-1)?.parts[0]?.turns.flatMap(({ pictures = [] }) => pictures) ?? []
    expect(shown.map(({ sha256 }) => sha256)).toEqual(data.at(-1)?.lineage.pictures)
    expect(shown.every(({ url }) => url !== null)).toBe(true)
  })

  test.each(['openai', 'parquet'] as const)(
    'shows rows of %s by the names of their pictures',
    async (format) => {
      const { play, run } = await openPlayed()
      const dataset = await play.build({ runs: [run], format, gates: held })
      const { data } = await play.datasets.rows(dataset.id, { limit: 10 })
      expect(JSON.stringify(data.map((row) => row.data))).not.toContain('base64')
      for (const { parts, lineage } of data) {
        const shown = parts.flatMap(({ turns }) => turns.flatMap(({ pictures = [] }) => pictures))
        expect(shown.map(({ sha256 }) => sha256)).toEqual(lineage.pictures)
      }
      const foreseen = await play.datasets.preview({ ...base(run), format })
      expect(foreseen.rows.map(({ parts }) => parts.map(({ turns }) => turns.length))).toEqual(
        data.map(({ parts }) => parts.map(({ turns }) => turns.length)),
      )
      expect(foreseen.pictures).toMatchObject({ rows: 6, files: 6 })
    },
  )

  function base(run: string) {
    return {
      runs: [run],
      trajectories: [],
      experts: [],
      kind: 'sft' as const,
      parameters: {},
      format: 'openai' as const,
      limits: {},
      seed: 0,
      gates: {
        ...held,
        duplicates: 'drop' as const,
        empty_turns: 'drop' as const,
        same_action: 'drop' as const,
        max_tokens: null,
        tokenizer: 'estimate' as const,
      },
      rows_per_file: 100,
    }
  }
})
