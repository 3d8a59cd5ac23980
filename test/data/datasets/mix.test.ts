import { describe, expect, onTestFinished, test } from 'vitest'
import { type DatasetRequestInput, lineageRowSchema } from '../../../shared/core/contracts/dataset.ts'
import { importSettingsSchema } from '../../../shared/core/contracts/trajectory-import.ts'
import { mixedCount } from '../../../shared/data/datasets/build/mix-in.ts'
import { openTrajectories } from '../../../shared/data/trajectories/open-trajectories.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { buildNow, openTestDatasets } from './open-test-datasets.ts'
import { readLines, request, StoredRuns, solved } from './stored-runs.ts'

const chats = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    conversations: [
      { role: 'user', content: `Question ${index}?` },
      { role: 'assistant', content: 'OK' },
      { role: 'user', content: 'Go on.' },
      { role: 'assistant', content: `A longer answer to question ${index}.` },
    ],
  }))

/** A run of solved tasks, and an import of so many general conversations. */
async function open({ tasks = 8, conversations = 10 }) {
  const { world, close } = await openOwnWorld()
  onTestFinished(close)
  const imports = openTrajectories({ world })
  const settings = importSettingsSchema.parse({ format: 'llama-factory', environment: 'general' })
  const body = Buffer.from(
    chats(conversations)
      .map((row) => `${JSON.stringify(row)}\n`)
      .join(''),
  )
  const { id } = await imports.of('default').create({ name: 'general', settings }, body, { more: false })
  const runs = new StoredRuns(world.objects, {
    'run-1': Array.from({ length: tasks }, (_, index) => solved(`task-${index}`)),
  })
  const tenants = openTestDatasets(world, runs, { trajectories: { of: (tenant) => imports.of(tenant) } })
  const datasets = { ...tenants, ...tenants.of('default') }
  const build = async (more: Partial<DatasetRequestInput>) => {
    const made = await datasets.create(request({ runs: ['run-1'], ...more }))
    await buildNow(datasets, made.id)
    const dataset = await datasets.get(made.id)
    const files = (start: string) => dataset.files.filter(({ name }) => name.startsWith(start))
    const linesOf = async (start: string) =>
      (
        await Promise.all(
          files(start).map(({ name }) => readLines(world.objects, `datasets/${made.id}/${name}`)),
        )
      ).flat()
    return { dataset, linesOf }
  }
  return { build, datasets, id }
}

describe('general conversations', () => {
  test('make up their share of the rows, behind those of tasks, with their lineage', async () => {
    const { build, id } = await open({ tasks: 8 })
    const { dataset, linesOf } = await build({ mix: { trajectories: [id], share: 0.2 } })
    expect(dataset).toMatchObject({ status: 'succeeded', rows: 10, mixed: 2, warnings: [] })
    const rows = (await linesOf('data')) as {
      messages: { role: string; content: string; weight?: number }[]
    }[]
    expect(rows.slice(8).map(({ messages }) => messages.length)).toEqual([4, 4])
    for (const { messages } of rows.slice(8)) {
      expect(
        messages.filter(({ role }) => role === 'assistant').every(({ weight = 1 }) => weight === 1),
      ).toBe(true)
    }
    const lineage = (await linesOf('lineage')).map((line) => lineageRowSchema.parse(line))
    expect(lineage.slice(8).map(({ environment, origin }) => [environment, origin.source])).toEqual([
      ['general', id],
      ['general', id],
    ])
    expect(lineage.map(({ row }) => row)).toEqual(Array.from({ length: 10 }, (_, row) => row))
    expect(new Set(lineage.map(({ origin }) => origin.episode)).size).toBe(10)
  })

  test('are drawn by the seed: the same again, others with another seed', async () => {
    const { build, id } = await open({ conversations: 40 })
    const drawn = async (seed: number) => {
      const { linesOf } = await build({ seed, mix: { trajectories: [id], share: 0.5 } })
      return JSON.stringify((await linesOf('data')).slice(8))
    }
    const first = await drawn(0)
    expect(await drawn(0)).toBe(first)
    expect(await drawn(1)).not.toBe(first)
  })

  test('have their share in every split, none of them twice', async () => {
    const { build, id } = await open({ tasks: 40, conversations: 60 })
    const { dataset, linesOf } = await build({
      splits: { train: 0.75, validation: 0.25 },
      mix: { trajectories: [id], share: 0.5 },
    })
    const lineage = [...(await linesOf('lineage-train')), ...(await linesOf('lineage-validation'))].map(
      (line) => lineageRowSchema.parse(line),
    )
    const general = lineage.filter(({ environment }) => environment === 'general')
    expect(general).toHaveLength(40)
    expect(new Set(general.map(({ origin }) => origin.episode)).size).toBe(40)
    for (const { rows } of Object.values(dataset.splits)) expect(rows % 2).toBe(0)
  })

  test('that are too few are all mixed in, and it is said', async () => {
    const { build, id } = await open({ conversations: 3 })
    const { dataset } = await build({ mix: { trajectories: [id], share: 0.5 } })
    expect(dataset).toMatchObject({ rows: 11, mixed: 3 })
    expect(dataset.warnings).toEqual([expect.stringMatching(/too few general conversations.*3 of the 3/)])
  })

  test('that are too few for the first split are said to be, also where the last one needs none', async () => {
    const { build, id } = await open({ tasks: 12, conversations: 3 })
    const { dataset } = await build({
      splits: { train: 0.9, validation: 0.1 },
      mix: { trajectories: [id], share: 0.3 },
    })
    expect(Object.values(dataset.splits).map(({ rows }) => rows)).toEqual([15, 0])
    expect(dataset.warnings).toContainEqual(
      expect.stringMatching(/too few general conversations.*3 of the 3/),
    )
  })

  test('that a gate keeps out give way to others', async () => {
    const { build, id } = await open({ tasks: 1, conversations: 10 })
    const none = await build({ mix: { trajectories: [id], share: 0.5 }, gates: { max_tokens: 1 } })
    expect(none.dataset).toMatchObject({ rows: 0, mixed: 0 })
    const { dataset } = await build({ mix: { trajectories: [id], share: 0.8 } })
    expect(dataset).toMatchObject({ rows: 5, mixed: 4 })
  })

  test('are refused for kinds whose rows are no conversations, and where there are none of the name', async () => {
    const { datasets, id } = await open({})
    const create = (more: Partial<DatasetRequestInput>) =>
      datasets.create(request({ runs: ['run-1'], ...more }))
    await expect(
      create({ kind: 'preference', format: 'trl', mix: { trajectories: [id] } }),
    ).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'mix',
    })
    await expect(create({ mix: { trajectories: ['traj-none'] } })).rejects.toMatchObject({
      code: 'not_found',
      param: 'mix.trajectories[0]',
    })
  })

  test.each([
    [80, 0.2, 20],
    [1, 0.5, 1],
    [0, 0.9, 0],
    [3, 0.01, 0],
  ])('beside %i rows with a share of %d are %i', (rows, share, count) => {
    expect(mixedCount(rows, share)).toBe(count)
  })
})
