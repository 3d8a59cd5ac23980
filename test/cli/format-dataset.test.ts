import { expect, test } from 'vitest'
import {
  describeDataset,
  formatDataset,
  formatDatasets,
  formatKind,
  formatKinds,
} from '../../cli/format-dataset.ts'
import { type DatasetKindInfo, datasetRequestSchema } from '../../shared/core/contracts/dataset.ts'
import { makeDataset } from '../builders/datasets.ts'
import { halfPlayedRun } from '../builders/runs.ts'

const kind: DatasetKindInfo = {
  id: 'step-preference',
  object: 'dataset_kind',
  description: 'Siblings of one node.',
  source: 'This project.',
  parameters: {
    type: 'object',
    properties: { margin: { type: 'number', default: 0.2, description: 'The least difference of values.' } },
  },
  formats: ['openai', 'trl'],
  asks_model: false,
  uses_experts: false,
}

test('a dataset says what is in it, and why the rest is not', () => {
  const dataset = makeDataset({
    name: 'pairs',
    request: datasetRequestSchema.parse({ runs: ['run-1'], splits: { train: 0.8, validation: 0.2 } }),
    splits: { train: { rows: 10, tasks: 4 }, validation: { rows: 2, tasks: 1 } },
    left_out: { failed: 3, not_text: 1 },
    gates: {
      held_out: { found: 4, dropped: 4 },
      duplicates: { found: 2, dropped: 0 },
      leaks: { found: 0, dropped: 0 },
    },
    warnings: ['run-1 was still going: 13 of 50 episodes had ended.'],
  })
  expect(describeDataset(dataset, 'rows', { width: 100 })).toEqual([
    'dataset   dataset-1  (pairs)',
    'status    completed',
    'kind      sft, format openai',
    'rows      12 (train 10 of 4 tasks, validation 2 of 1 tasks), 2.0 kB in 1 files',
    'tokens    4,321, the longest row 900 (estimate)',
    'left out  3 failed: the task was not solved',
    '          1 not_text: the path shows pictures, and the request does not say whether rows show them',
    'gates     4 held_out: a task that the environment holds out for evaluation',
    '          2 duplicates: equal to an earlier row, character for character, 2 kept',
    'note      run-1 was still going: 13 of 50 episodes had ended.',
    'folder    rows',
    'load it   datasets.load_dataset("rows")  (Python); for trainers: rows/README.md',
  ])
})

test('a dataset without rows has no instructions for loading', () => {
  const lines = describeDataset(makeDataset({ rows: 0, splits: {} }), 'rows', { width: 100 })
  expect(lines.join('\n')).toContain('rows      0')
  expect(lines.join('\n')).not.toContain('load it')
})

test('a dataset without splits says how many tasks its rows are of', () => {
  expect(formatDataset(makeDataset(), { width: 100 })).toContain('rows      12 of 5 tasks, 2.0 kB in 1 files')
})

test('a build that goes on says how far it is, and one that failed why', () => {
  const progress = { phase: 'collecting' as const, parts: 12, parts_done: 3 }
  const going = makeDataset({ status: 'running', progress, files: [], tokens: null })
  expect(formatDataset(going, { width: 100 })).toContain('status    collecting, 3 of 12 parts')
  const failed = makeDataset({ status: 'failed', error: 'No space.' })
  expect(formatDataset(failed, { width: 100 })).toContain('status    failed: No space.')
})

test('the cost of asking a model is shown', () => {
  const lines = formatDataset(makeDataset({ annotation_run: 'run-9' }), {
    width: 100,
    asked: halfPlayedRun({ id: 'run-9' }),
  })
  expect(lines.join('\n')).toMatch(/asked {5}\$.+ calls: run-9/)
})

test('no line is wider than the terminal', () => {
  const warnings = ['A long warning that goes on and on. '.repeat(8).trim()]
  const lines = formatDataset(makeDataset({ warnings }), { width: 60 })
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60)
})

test('datasets are listed in a table, those that are being built with their phase', () => {
  const progress = { phase: 'assembling' as const, parts: 1, parts_done: 1 }
  const lines = formatDatasets(
    [makeDataset(), makeDataset({ id: 'dataset-2', status: 'running', progress })],
    100,
  )
  expect(lines[0]).toMatch(/^dataset +status +name +kind +format +rows +size$/)
  expect(lines[1]).toMatch(/^dataset-1 +completed +– +sft +openai +12 +2.0 kB$/)
  expect(lines[2]).toMatch(/^dataset-2 +assembling/)
  expect(formatDatasets([], 100)).toEqual(['No datasets yet. Build one: espalier export --help'])
})

test('kinds are listed with their formats and parameters, and one is shown in full', () => {
  const listed = formatKinds([kind], 100).join('\n')
  expect(listed).toContain('step-preference: Siblings of one node.\n  margin=0.2\n  formats: openai, trl')
  const shown = formatKind(kind, 100).join('\n')
  expect(shown).toContain('  --set margin=0.2  (number)\n      The least difference of values.')
  expect(shown).not.toContain('may ask a model')
  expect(formatKind({ ...kind, asks_model: true }, 100).join('\n')).toContain('may ask a model')
})

test('parameters of a dataset are shown as they were asked for', () => {
  const request = datasetRequestSchema.parse({
    runs: ['run-1'],
    parameters: { min_reward: 0.5, attempts: 'best' },
  })
  expect(formatDataset(makeDataset({ request }), { width: 100 }).slice(2, 4)).toEqual([
    'kind      sft, format openai',
    'with      min_reward=0.5 attempts=best',
  ])
})
