import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatasetRequestInput } from '../../../shared/core/contracts/dataset.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { SourceTrajectories } from '../../../shared/data/datasets/open-attempts.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { noTrajectories, openTestDatasets } from './open-test-datasets.ts'
import { request, StoredRuns, solved, unsolved } from './stored-runs.ts'

let world: World
let close: () => Promise<void>

beforeEach(async () => {
  ;({ world, close } = await openOwnWorld())
})
afterEach(() => close())

const imports: SourceTrajectories = {
  ...noTrajectories,
  async get(id) {
    const status = id === 'trajectories-1' ? 'complete' : id === 'half' ? 'receiving' : null
    if (status !== null) return { id, status } as Awaited<ReturnType<SourceTrajectories['get']>>
    throw new EspalierError('not_found', `There are no trajectories "${id}".`, { param: 'trajectories' })
  },
}

function open() {
  const stored = new StoredRuns(world.objects, {
    'run-1': [solved('a')],
    'run-2': [solved('b')],
    young: [unsolved('running')],
  })
  return openTestDatasets(world, stored, {
    trajectories: { of: () => imports },
    checkEndpoint({ endpoint }, param) {
      if (endpoint !== 'simulated') throw new EspalierError('unknown_endpoint', 'There is none.', { param })
    },
  }).of('default')
}

test.each<[string, DatasetRequestInput, object]>([
  ['no source', { runs: [] }, { code: 'invalid_request', param: 'runs' }],
  ['experts alone', { runs: [], experts: ['run-1'], kind: 'preference', format: 'trl' }, { param: 'runs' }],
  ['an unknown run', { runs: ['run-1', 'gone'] }, { code: 'not_found', param: 'runs[1]' }],
  ['an import among the runs', { runs: ['trajectories-1'] }, { code: 'not_found', param: 'runs[0]' }],
  [
    'a run among the imports',
    { runs: [], trajectories: ['run-1'] },
    { code: 'not_found', param: 'trajectories[0]' },
  ],
  [
    'an unknown expert',
    { experts: ['run-2', 'gone'], kind: 'preference', format: 'trl' },
    { code: 'not_found', param: 'experts[1]' },
  ],
  ['a run named twice', { runs: ['run-1', 'run-1'] }, { code: 'invalid_request', param: 'runs[1]' }],
  [
    'a run that is its own expert',
    { experts: ['run-1'], kind: 'preference', format: 'trl' },
    { param: 'experts[0]' },
  ],
  ['a run that has only begun', { runs: ['young'] }, { code: 'invalid_state', param: 'runs[0]' }],
  [
    'an import whose rows are still coming',
    { trajectories: ['half'] },
    { code: 'invalid_state', param: 'trajectories[0]' },
  ],
  ['experts where none are used', { experts: ['run-2'] }, { code: 'invalid_request', param: 'experts' }],
  ['a wrong parameter', { parameters: { min_reward: 2 } }, { param: 'parameters.min_reward' }],
  [
    'an unknown parameter',
    { parameters: { margin: 1 } },
    { code: 'unknown_field', param: 'parameters.margin' },
  ],
  ['shares that are not 1', { splits: { train: 0.9, test: 0.2 } }, { param: 'splits' }],
  [
    'a split named as lineage files are',
    { splits: { train: 0.9, lineage: 0.1 } },
    { param: 'splits.lineage' },
  ],
  [
    'a question without a model',
    { runs: [], trajectories: ['trajectories-1'], kind: 'revision', model: { id: 'm' } },
    { code: 'invalid_request', param: 'model' },
  ],
  ['a split named as files without splits are', { splits: { data: 1 } }, { param: 'splits.data' }],
  [
    'an unknown endpoint',
    { model: { endpoint: 'gone' } },
    { code: 'unknown_endpoint', param: 'model.endpoint' },
  ],
])('%s is refused by its place, and nothing is made', async (_, wrong, error) => {
  const datasets = open()
  await expect(datasets.create(request(wrong))).rejects.toMatchObject(error)
  expect((await datasets.list({ limit: 10 })).data).toEqual([])
})

test('a format that cannot hold the kind is refused with those that can', async () => {
  const wrong = open().create(request({ kind: 'process-reward', format: 'openai' }))
  await expect(wrong).rejects.toMatchObject({ code: 'invalid_request', param: 'format' })
  await expect(wrong).rejects.toThrow('Choose one of: trl, axolotl, parquet.')
})

test('shares of thirds are 1 in sum, and an expert may be a run or an import', async () => {
  const datasets = open()
  const splits = { a: 1 / 3, b: 1 / 3, c: 1 / 3 }
  const experts = ['run-2', 'trajectories-1']
  const made = await datasets.create(request({ experts, splits, kind: 'preference', format: 'trl' }))
  expect(made).toMatchObject({ status: 'queued', progress: { phase: 'planning', parts: 0 } })
})

test('a dataset shows its kind’s parameters with their defaults', async () => {
  const { request: shown } = await open().create(request({ parameters: { min_reward: 0.5 } }))
  expect(shown.parameters).toEqual({ min_reward: 0.5, attempts: 'all', paths: 'answer' })
})
