import { expect, test } from 'vitest'
import { type LineageStep, lineageOf } from '../../../../web/components/lineage/lineage-of.ts'

const step: LineageStep = {
  model: { id: 'model-2', name: 'second' },
  training: 'training-1',
  start: { id: 'model-1', name: 'first' },
  datasets: ['dataset-1'],
  runs: ['run-1', 'run-2'],
}
const edgesOf = (steps: readonly LineageStep[]) =>
  lineageOf(steps).edges.map(({ from, label, to }) => `${from} ${label} ${to}`)

test('edges lead from a model by its training to its start, its datasets and their runs', () => {
  expect(edgesOf([step])).toEqual([
    'model-2 made by training-1',
    'training-1 starts from model-1',
    'training-1 learns dataset-1',
    'dataset-1 rows of run-1',
    'dataset-1 rows of run-2',
  ])
})

test('what several steps share is one node, and has its first label', () => {
  const next = { ...step, model: { id: 'model-3', name: 'third' }, training: 'training-2' }
  const { nodes } = lineageOf([next, step])
  expect(nodes.map(({ id }) => id).toSorted()).toEqual(
    ['dataset-1', 'model-1', 'model-2', 'model-3', 'run-1', 'run-2', 'training-1', 'training-2'].toSorted(),
  )
  expect(nodes.find(({ id }) => id === 'model-1')).toMatchObject({ kind: 'model', label: 'first' })
})

test('a model without a known training is linked to what it was made from itself', () => {
  expect(edgesOf([{ ...step, training: null, runs: [] }])).toEqual([
    'model-2 starts from model-1',
    'model-2 learns dataset-1',
  ])
})

test('runs of several datasets belong to the training, unless the dataset of each is known', () => {
  const two = { ...step, start: null, datasets: ['dataset-1', 'dataset-2'] }
  expect(edgesOf([{ ...two, runs: ['run-1'] }])).toContain('training-1 rows of run-1')
  const known = edgesOf([{ ...two, runs: { 'dataset-2': ['run-1'] } }])
  expect(known).toContain('dataset-2 rows of run-1')
  expect(known).not.toContain('training-1 rows of run-1')
})

test('more runs than a graph can show are one node, with their number', () => {
  const runs = Array.from({ length: 1512 }, (_, index) => `run-${index}`)
  const { nodes } = lineageOf([{ ...step, runs }])
  expect(nodes.filter(({ kind }) => kind === 'run')).toHaveLength(12)
  expect(nodes.filter(({ kind }) => kind === 'trajectories').map(({ label }) => label)).toEqual([
    '1,500 more runs',
  ])
})
