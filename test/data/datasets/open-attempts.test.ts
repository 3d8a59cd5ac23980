import { afterEach, beforeEach, expect, test } from 'vitest'
import { rowExample } from '../../../functions/api/openapi/trajectory-examples.ts'
import { type ImportedFacts, importSettingsSchema } from '../../../shared/core/contracts/trajectory-import.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openAttempts, type SourceTrajectories } from '../../../shared/data/datasets/open-attempts.ts'
import { openTrajectories } from '../../../shared/data/trajectories/open-trajectories.ts'
import { forkedPath } from '../../builders/trees.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { buildNow, noTrajectories, openTestDatasets } from './open-test-datasets.ts'
import { readLines, request, StoredRuns, solved, unsolved } from './stored-runs.ts'

let world: World
let close: () => Promise<void>

beforeEach(async () => {
  ;({ world, close } = await openOwnWorld())
})
afterEach(() => close())

/** So many expert trajectories, three to a stored part. */
function imported(tasks: string[]) {
  const partsRead: number[] = []
  const facts = tasks.map(
    (task, index): ImportedFacts => ({
      episode: `line-${index + 1}`,
      part: Math.floor(index / 3),
      environment: 'textcraft',
      data: null,
      task,
      method: 'expert',
      model: 'people',
      status: 'succeeded',
      reward: 1,
      success: true,
      seed: 0,
      file: null,
      line: index + 1,
    }),
  )
  const trajectories: SourceTrajectories = {
    get: async (id) => (id === 'imported' ? ({ id, status: 'complete' } as never) : noTrajectories.get(id)),
    async *facts() {
      yield* facts
    },
    async trees(_, part) {
      partsRead.push(part)
      const own = facts.filter((each) => each.part === part)
      return new Map(own.map(({ episode, task }) => [episode, forkedPath(task, 2)]))
    },
  }
  return { trajectories, partsRead }
}

function open(runs: StoredRuns, trajectories = noTrajectories) {
  const splitsOf = async () => new Map([['a', { split: 'train' }]])
  return openAttempts({ objects: world.objects, runs, trajectories, splitsOf })
}

test('an attempt is opened by its run and episode, with its task’s split', async () => {
  const runs = new StoredRuns(world.objects, { 'run-1': [solved('a'), unsolved('limited', 0.5)] })
  const attempt = await open(runs).open('run-1', 'ep-0000000')
  expect(attempt).toMatchObject({
    source: 'run-1',
    task: 'a',
    task_split: 'train',
    status: 'succeeded',
    reward: 1,
  })
  expect(runs.treesRead).toBe(0)
  expect((await attempt.tree()).task).toBe('a')
  expect(await attempt.annotation()).toBeNull()
  expect(await open(runs).open('run-1', 'ep-0000001')).toMatchObject({
    status: 'limited',
    success: false,
    task_split: null,
  })
})

test('what is no attempt cannot be opened', async () => {
  const runs = new StoredRuns(world.objects, { 'run-1': [unsolved('errored'), unsolved('running')] })
  const attempts = open(runs)
  await expect(attempts.open('run-1', 'ep-0000000')).rejects.toMatchObject({
    code: 'invalid_state',
    param: 'episode',
  })
  await expect(attempts.open('run-1', 'ep-0000001')).rejects.toThrow('had not ended')
  await expect(attempts.open('run-1', 'ep-0000009')).rejects.toMatchObject({ code: 'not_found' })
  await expect(attempts.open('gone', 'ep-0000000')).rejects.toMatchObject({ code: 'not_found' })
})

test('an imported trajectory is an attempt too, without a journal', async () => {
  const { trajectories } = imported(['a', 'b'])
  const attempt = await open(new StoredRuns(world.objects, {}), trajectories).open('imported', 'line-2')
  expect(attempt).toMatchObject({
    source: 'imported',
    attempt: 1,
    task: 'b',
    method: 'expert',
    model: 'people',
  })
  expect((await attempt.tree()).task).toBe('b')
  expect(await attempt.journal()).toEqual([])
})

test('an attempt of a large import is opened without reading what lies before and behind it', async () => {
  const trajectories = openTrajectories({ world }).of('default')
  const settings = importSettingsSchema.parse({ format: 'agenttraj', reward: 1 })
  const bodyOf = (index: number) =>
    Buffer.from(JSON.stringify({ ...rowExample, item_id: `textcraft_${index}` }))
  const { id } = await trajectories.create({ name: null, settings }, bodyOf(1), { more: true })
  for (const first of [2, 3, 4]) await trajectories.append(id, bodyOf(first), { first, more: first < 4 })
  const read: string[] = []
  const get = world.objects.get.bind(world.objects)
  world.objects.get = (key, range) => {
    read.push(key)
    return get(key, range)
  }
  const attempts = open(new StoredRuns(world.objects, {}), trajectories)
  const attempt = await attempts.open(id, 'row-0000003')
  expect(attempt).toMatchObject({ source: id, episode: 'row-0000003', environment: 'textcraft' })
  expect((await attempt.tree()).task).toBe(attempt.task)
  expect(read.map((key) => /(facts|parts)\/\d+/.exec(key)?.[0])).toEqual(['facts/0000003', 'parts/0000003'])
})

test('rows are made of imports as of runs, and each stored part of an import is read once', async () => {
  const { trajectories, partsRead } = imported(['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  const runs = new StoredRuns(world.objects, { 'run-1': [solved('a', 3)] })
  const datasets = openTestDatasets(world, runs, { trajectories: { of: () => trajectories } })
  const { id } = await datasets.of('default').create(request({ runs: ['run-1'], trajectories: ['imported'] }))
  await buildNow(datasets, id)
  expect(await datasets.of('default').get(id)).toMatchObject({ status: 'succeeded', rows: 8 })
  const lineage = await readLines(world.objects, `datasets/${id}/lineage-00001.jsonl.gz`)
  expect(lineage.slice(0, 3)).toMatchObject([
    { task: 'a', origin: { source: 'run-1', episode: 'ep-0000000', method: 'mcts' } },
    { task: 'a', origin: { source: 'imported', episode: 'line-1', method: 'expert', model: 'people' } },
    { task: 'b', origin: { source: 'imported', episode: 'line-2' } },
  ])
  expect(partsRead).toEqual([0, 1, 2])
})

test('experts stand beside the attempts at their tasks, and give no rows by themselves', async () => {
  const { trajectories } = imported(['a', 'unplayed'])
  const runs = new StoredRuns(world.objects, {
    'run-1': [unsolved('failed', 0.2), { ...solved('a', 3), reward: 0.5 }],
  })
  const datasets = openTestDatasets(world, runs, { trajectories: { of: () => trajectories } })
  const wanted = request({
    experts: ['imported'],
    kind: 'preference',
    format: 'trl',
    parameters: { against: 'expert' },
  })
  const { id } = await datasets.of('default').create(wanted)
  await buildNow(datasets, id)
  expect(await datasets.of('default').get(id)).toMatchObject({ rows: 1, left_out: { no_expert: 1 } })
  const [row] = await readLines(world.objects, `datasets/${id}/lineage-00001.jsonl.gz`)
  expect(row).toMatchObject({
    task: 'a',
    origin: { source: 'imported', reward: 1 },
    other: { source: 'run-1', episode: 'ep-0000001', reward: 0.5 },
  })
})
