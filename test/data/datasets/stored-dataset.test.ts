import { expect, test } from 'vitest'
import { readStoredDataset } from '../../../shared/data/datasets/stored-dataset.ts'

const early = {
  id: 'dataset-1',
  object: 'dataset',
  name: null,
  status: 'succeeded',
  error: null,
  created_at: '2026-01-01T00:00:00.000Z',
  request: { runs: ['run-1'], kind: 'sft', format: 'openai-chat', min_reward: 0.5, rows_per_file: 100 },
  rows: 3,
  left_out: { failed: 1 },
  files: [{ name: 'data-00001.jsonl.gz', rows: 3, bytes: 10, sha256: 'ab' }],
}

test('a dataset of the first days reads as what it would be asked for today', () => {
  const dataset = readStoredDataset(early)
  expect(dataset).toMatchObject({
    status: 'succeeded',
    rows: 3,
    left_out: { failed: 1 },
    files: early.files,
    progress: { phase: 'done' },
    annotation_run: null,
    gates: {},
    tokens: null,
    warnings: [],
  })
  expect(dataset.request).toMatchObject({
    format: 'openai',
    parameters: { min_reward: 0.5 },
    rows_per_file: 100,
    trajectories: [],
    experts: [],
  })
})

test('it does not claim gates that its rows never passed', () => {
  const { gates } = readStoredDataset(early).request
  expect(gates).toMatchObject({ duplicates: 'keep', held_out: 'keep', empty_turns: 'keep', max_tokens: null })
})

test('one that was queued then is planned now', () => {
  const { progress } = readStoredDataset({ ...early, status: 'queued', files: [] })
  expect(progress).toEqual({ phase: 'planning', parts: 0, parts_done: 0 })
})

test('what is stored today reads as it is', () => {
  const today = readStoredDataset(early)
  expect(readStoredDataset(JSON.parse(JSON.stringify(today)))).toEqual(today)
})

test('its request stands in one order, whatever order a ledger gives back', () => {
  const stored = (splits: object, parameters: object) =>
    readStoredDataset({
      ...early,
      request: { runs: ['run-1'], splits, parameters } as never,
    }).request
  const one = stored({ test: 0.1, train: 0.6, validation: 0.3 }, { paths: 'ends', min_reward: 0.5 })
  const other = stored({ validation: 0.3, test: 0.1, train: 0.6 }, { min_reward: 0.5, paths: 'ends' })
  expect(JSON.stringify(other)).toBe(JSON.stringify(one))
  expect(Object.keys(one.splits ?? {})).toEqual(['train', 'validation', 'test'])
})
