import { expect, test } from 'vitest'
import { type BuildState, buildDataset } from '../../cli/build-dataset.ts'
import { buildText } from '../../cli/show-build.ts'
import type { Dataset } from '../../shared/core/contracts/dataset.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { makeDataset } from '../builders/datasets.ts'
import { halfPlayedRun } from '../builders/runs.ts'

const running = (phase: Dataset['progress']['phase'], facts: Partial<Dataset> = {}) =>
  makeDataset({ status: 'running', progress: { phase, parts: 4, parts_done: 1 }, rows: 0, ...facts })

/** A service whose dataset stands as given, one look after the other. */
function clientOf(states: Dataset[], run: Run = halfPlayedRun()) {
  const left = [...states]
  const next = () => (left.length > 1 ? left.shift() : left[0]) as Dataset
  return { createDataset: async () => next(), dataset: async () => next(), run: async () => run }
}

async function build(states: Dataset[], run?: Run) {
  const seen: BuildState[] = []
  const dataset = await buildDataset(
    clientOf(states, run),
    { runs: ['run-1'] },
    { interval: 0, onProgress: (state) => seen.push(state) },
  )
  return { dataset, seen }
}

test('a build is waited for, and each state of it is reported', async () => {
  const states = [makeDataset({ status: 'queued' }), running('collecting', { rows: 4310 }), makeDataset()]
  const { dataset, seen } = await build(states)
  expect(dataset.status).toBe('succeeded')
  expect(seen.map(buildText)).toEqual(['queued · 1/1 parts · 12 rows', 'collecting · 1/4 parts · 4,310 rows'])
})

test('while a model is asked, its run is what is reported', async () => {
  const asking = running('asking', { annotation_run: 'run-9' })
  const run = halfPlayedRun({ id: 'run-9' })
  const { seen } = await build([asking, makeDataset()], run)
  expect(seen[0]?.asking).toBe(run)
  expect(buildText(seen[0] as BuildState)).toMatch(/^asking a model · \d+\/\d+ episodes · .+ calls · \$/)
})

test('a build that waits for a paused run ends the waiting with the way to go on', async () => {
  const asking = running('asking', { annotation_run: 'run-9' })
  const run = halfPlayedRun({ id: 'run-9', status: 'paused', status_reason: 'limits.cost is reached.' })
  await expect(build([asking], run)).rejects.toThrow(
    /run-9.*paused: limits.cost is reached\. Go on: espalier resume run-9.*espalier export --dataset dataset-1/,
  )
})

test('a build that fails is reported with its error', async () => {
  const failed = makeDataset({ status: 'failed', error: 'The storage is full.' })
  await expect(build([failed])).rejects.toThrow('dataset-1 could not be built: The storage is full.')
})
