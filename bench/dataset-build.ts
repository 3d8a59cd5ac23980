import { gunzipSync } from 'node:zlib'
import { datasetRequestSchema } from '../shared/core/contracts/dataset.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { readObject } from '../shared/core/engine/read-object.ts'
import { openLocalWorld } from '../shared/core/world/local/open-local-world.ts'
import { GzipLines } from '../shared/data/datasets/gzip-lines.ts'
import { openDatasets } from '../shared/data/datasets/open-datasets.ts'
import type { BuildMeasure, MeasuredBuild } from './dataset-measure.ts'
import { peakMemory, processorTime } from './figure.ts'
import { readTrees, stampedRuns } from './stamped-runs.ts'

/** Builds one dataset in a separate process, so that its memory is its own. Prints a {@link BuildMeasure}. */
const { folder, request, templates, episodes, attempts } = JSON.parse(process.argv[2] ?? '') as MeasuredBuild
const world = await openLocalWorld({ folder })
const { objects } = world
const none = () => {
  throw new EspalierError('not_found', 'There is none.')
}
const datasets = openDatasets({
  world,
  runs: { of: () => stampedRuns(objects, templates, { episodes, attempts }) },
  trajectories: { of: () => ({ get: none, facts: none, trees: none }) },
  annotations: { of: () => ({ start: none, state: none, read: none }) },
  splitsOf: async () => new Map(),
  checkEndpoint: none,
})

const own = datasets.of('bench')
const { id } = await own.create(datasetRequestSchema.parse(request))
const start = performance.now()
const consumer = datasets.start({
  onError: (error) => {
    throw error
  },
})
let built = await own.get(id)
let began = start
let worked = processorTime()
while (built.status === 'queued' || built.status === 'running') {
  if (built.status === 'queued') {
    began = performance.now()
    worked = processorTime()
  }
  await new Promise((resolve) => setTimeout(resolve, 5))
  built = await own.get(id)
}
const seconds = (performance.now() - began) / 1000
const processorSeconds = (processorTime() - worked) / 1000
const peak = peakMemory()
await consumer.stop()
if (built.status !== 'succeeded') throw new Error(`The dataset failed: ${built.error}`)

const reading = performance.now()
await readTrees(objects, templates, episodes)
let milliseconds = performance.now() - reading
let textBytes = 0
for (const file of await own.files(id)) {
  if (!file.name.startsWith('data-')) continue
  const text = gunzipSync(await readObject(objects, file.key)).toString('utf8')
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  textBytes += text.length
  const packing = performance.now()
  const lines = new GzipLines()
  for (const row of rows) await lines.write(JSON.stringify(row))
  await lines.end()
  milliseconds += performance.now() - packing
}
await world.close()
const measure: BuildMeasure = {
  rows: built.rows,
  seconds,
  processorSeconds,
  peak,
  bareSeconds: milliseconds / 1000,
  bytes: built.files.reduce((sum, file) => sum + file.bytes, 0),
  textBytes,
}
console.log(JSON.stringify(measure))
