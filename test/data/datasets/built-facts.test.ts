import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Dataset, DatasetRequestInput, LineageRow } from '../../../shared/core/contracts/dataset.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { DatasetNeeds } from '../../../shared/data/datasets/open-datasets.ts'
import { treeNode, treeOf } from '../../builders/trees.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { buildNow, openTestDatasets } from './open-test-datasets.ts'
import { many, type PlayedEpisode, readLines, request, StoredRuns, solved, unsolved } from './stored-runs.ts'

let world: World
let close: () => Promise<void>

beforeEach(async () => {
  ;({ world, close } = await openOwnWorld())
})
afterEach(() => close())

async function build(
  runs: Record<string, PlayedEpisode[]>,
  wanted: DatasetRequestInput,
  needs: Partial<DatasetNeeds> = {},
): Promise<Dataset> {
  const datasets = openTestDatasets(world, new StoredRuns(world.objects, runs), needs)
  const { id } = await datasets.of('default').create(request(wanted))
  await buildNow(datasets, id)
  return datasets.of('default').get(id)
}

const lineageOf = async (dataset: Dataset, split?: string) => {
  const named = split === undefined ? 'lineage-0' : `lineage-${split}-`
  const files = dataset.files.filter(({ name }) => name.startsWith(named))
  const rows = await Promise.all(
    files.map(({ name }) => readLines(world.objects, `datasets/${dataset.id}/${name}`)),
  )
  return rows.flat() as LineageRow[]
}

/** Every task with a prompt of its own. */
const ownWords = (count: number) =>
  Array.from({ length: count }, (_, index): PlayedEpisode => {
    const played = solved(`task-${index}`)
    return { ...played, tree: { ...played.tree, messages: [{ role: 'user', content: `Goal ${index}.` }] } }
  })

describe('splits', () => {
  test('share the tasks, each with its files, and no task is in two', async () => {
    const splits = { train: 0.75, validation: 0.25 }
    const dataset = await build(
      { 'run-1': [...ownWords(40), ...ownWords(40)] },
      { splits, gates: { duplicates: 'keep' } },
    )
    expect(dataset.splits).toEqual({ train: { rows: 60, tasks: 30 }, validation: { rows: 20, tasks: 10 } })
    expect(dataset.files.map(({ name }) => name)).toEqual([
      'train-00001.jsonl.gz',
      'lineage-train-00001.jsonl.gz',
      'validation-00001.jsonl.gz',
      'lineage-validation-00001.jsonl.gz',
      'README.md',
    ])
    const tasksOf = async (split: string) =>
      new Set((await lineageOf(dataset, split)).map(({ task }) => task))
    const [train, validation] = [await tasksOf('train'), await tasksOf('validation')]
    expect([train.size, validation.size]).toEqual([30, 10])
    expect([...train].filter((task) => validation.has(task))).toEqual([])
    expect(dataset.gates.leaks).toEqual({ found: 0, dropped: 0 })
  })

  test('that tasks are too few for are empty, and said to be', async () => {
    const dataset = await build({ 'run-1': many(9) }, { splits: { train: 0.5, validation: 0.5 } })
    expect(
      Object.values(dataset.splits)
        .map(({ rows }) => rows)
        .toSorted(),
    ).toEqual([0, 6])
    expect(dataset.warnings.join()).toMatch(/The split "(train|validation)" has no rows/)
  })
})

describe('a gate', () => {
  const taskSplit = (task: string) => ({ split: Number(task.slice(5)) % 2 === 0 ? 'train' : 'test' })
  const splitsOf: DatasetNeeds['splitsOf'] = async () =>
    new Map(Array.from({ length: 10 }, (_, index) => [`task-${index}`, taskSplit(`task-${index}`)]))

  test('keeps out rows of tasks that are held out, and lineage names the split of the others', async () => {
    const dataset = await build({ 'run-1': ownWords(10) }, {}, { splitsOf })
    expect(dataset).toMatchObject({ rows: 5, gates: { held_out: { found: 5, dropped: 5 } } })
    expect(new Set((await lineageOf(dataset)).map(({ task_split }) => task_split))).toEqual(
      new Set(['train']),
    )
  })

  test('that is set to keep them counts them', async () => {
    const dataset = await build({ 'run-1': ownWords(10) }, { gates: { held_out: 'keep' } }, { splitsOf })
    expect(dataset).toMatchObject({ rows: 10, gates: { held_out: { found: 5, dropped: 0 } } })
  })

  test('counts rows that are equal, over parts and runs', async () => {
    const dataset = await build(
      { 'run-1': ownWords(300), 'run-2': ownWords(300) },
      { runs: ['run-1', 'run-2'] },
    )
    expect(dataset.progress.parts).toBe(3)
    expect(dataset).toMatchObject({ rows: 300, gates: { duplicates: { found: 300, dropped: 300 } } })
  })

  test('says what the format could not hold', async () => {
    const picture = [{ type: 'text' as const, text: 'seen' }]
    const twoTurns = treeOf(1, [treeNode(null, 'root'), treeNode(0, 'go', { observation: picture })], {
      task: 'a',
    })
    twoTurns.messages = [
      { role: 'user', content: 'Goal.' },
      { role: 'assistant', content: 'OK' },
    ]
    const runs = {
      'run-1': [{ status: 'succeeded', reward: 1, tree: twoTurns } as PlayedEpisode, solved('b')],
    }
    const dataset = await build(runs, { format: 'llama-factory' })
    expect(dataset).toMatchObject({ rows: 1, gates: { unfit: { found: 1, dropped: 1 } } })
    expect(dataset.warnings.join()).toContain('Left out: 1 row that the format cannot hold: ')
  })
})

describe('a warning', () => {
  test('says that a run was still going, and how far it was', async () => {
    const stored = new StoredRuns(world.objects, {
      'run-1': [solved('a'), unsolved('running'), unsolved('queued')],
    })
    const get = stored.get.bind(stored)
    stored.get = async (id) => ({ ...(await get(id)), status: 'running' })
    const datasets = openTestDatasets(world, stored)
    const { id } = await datasets.of('default').create(request())
    await datasets.advance({ dataset: id })
    const planned = await datasets.of('default').get(id)
    expect(planned).toMatchObject({
      progress: { phase: 'collecting', parts: 1, parts_done: 0 },
      left_out: { not_finished: 2 },
    })
    expect(planned.warnings).toEqual([expect.stringContaining('run-1 was still running')])
    expect(planned.warnings.join()).toContain('1 of its 3 episodes had ended')
  })

  test('says that runs play one environment with different options', async () => {
    const stored = new StoredRuns(world.objects, {
      'run-1': [solved('a')],
      'run-2': [solved('b')],
      'run-3': [solved('c')],
    })
    const get = stored.get.bind(stored)
    stored.get = async (id) => {
      const run = await get(id)
      const environment_options = { scoring: id === 'run-2' ? 'best' : 'final' }
      return { ...run, request: { ...run.request, environment_options } }
    }
    const planned = async (runs: string[]) => {
      const datasets = openTestDatasets(world, stored)
      const { id } = await datasets.of('default').create(request({ runs }))
      await datasets.advance({ dataset: id })
      return (await datasets.of('default').get(id)).warnings
    }
    expect(await planned(['run-1', 'run-2', 'run-3'])).toEqual([
      expect.stringContaining(
        'play textcraft with different options (run-1, run-3: {"scoring":"final"}; run-2: {"scoring":"best"})',
      ),
    ])
    expect(await planned(['run-1', 'run-3'])).toEqual([])
  })

  test('says why there is no row, and what to do', async () => {
    const { warnings } = await build(
      { 'run-1': [unsolved('failed', 0), unsolved('failed', 0), unsolved('errored')] },
      {},
    )
    expect(warnings).toEqual([
      'There are no rows. 2 episodes: the task was not solved; 1 episode: the service failed; that says nothing about the method. Choose runs that solved some of their tasks, or ask for failures by the parameters of the kind.',
    ])
  })

  test('says that the tasks of an environment are not known, so that none is seen to be held out', async () => {
    const unknown = await build({ 'run-1': [solved('a')] }, {}, { splitsOf: async () => null })
    expect(unknown).toMatchObject({
      rows: 1,
      warnings: [expect.stringContaining('The tasks of textcraft are not known here')],
    })
    const kept = await build(
      { 'run-1': [solved('a')] },
      { gates: { held_out: 'keep' } },
      { splitsOf: async () => null },
    )
    expect(kept.warnings).toEqual([])
  })
})

test('tokens are counted of the rows that are in, and named by their counter', async () => {
  const dataset = await build({ 'run-1': ownWords(4) }, { gates: { tokenizer: 'o200k_base' } })
  const tokens = (await lineageOf(dataset)).map((row) => row.tokens)
  expect(dataset.tokens).toEqual({
    tokenizer: 'o200k_base',
    total: tokens.reduce((sum, count) => sum + count, 0),
    longest: Math.max(...tokens),
  })
})

test('every row names nodes that the tree has, and equal rows have equal digests in every format', async () => {
  const runs = { 'run-1': ownWords(12) }
  const [chat, columns] = [await build(runs, {}), await build(runs, { format: 'trl', rows_per_file: 5 })]
  const [left, right] = [await lineageOf(chat), await lineageOf(columns)]
  expect(left.map(({ sha256 }) => sha256)).toEqual(right.map(({ sha256 }) => sha256))
  expect(right.map(({ row }) => row)).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1])
  for (const { origin, task } of left) {
    const played = runs['run-1'][Number(task.slice(5))]
    for (const node of origin.node_ids) expect(played?.tree.nodes[node]).toBeDefined()
  }
})
