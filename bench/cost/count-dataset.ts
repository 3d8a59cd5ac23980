import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { datasetRequestSchema } from '../../shared/core/contracts/dataset.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { openDatasets } from '../../shared/data/datasets/open-datasets.ts'
import { openTrajectories } from '../../shared/data/trajectories/open-trajectories.ts'
import { countingWorld } from '../../test/support/counting-world.ts'
import { playRun } from './count-episodes.ts'
import { openCountedEngine } from './open-counted-engine.ts'
import { type Operations, sum, times } from './operations.ts'

export interface CountedDataset {
  once: Operations
  episode: Operations
}

const sizes = [20, 60] as const

export async function countDataset(): Promise<CountedDataset> {
  const [few, many] = [await countBuild(sizes[0]), await countBuild(sizes[1])]
  const episode = times(sum(many, times(few, -1)), 1 / (sizes[1] - sizes[0]))
  return { once: sum(few, times(episode, -sizes[0])), episode }
}

async function countBuild(episodes: number): Promise<Operations> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-cost-'))
  const local = await openLocalWorld({ folder })
  try {
    const { run } = await playRun(local, local, { method: { id: 'react' }, episodes, batch: 10 })
    const { world, counted } = countingWorld(local)
    await build(world, run.id)
    return counted()
  } finally {
    await local.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function build(world: World, run: string): Promise<void> {
  const never = () => Promise.reject(new Error('Nothing is asked here.'))
  const datasets = openDatasets({
    world,
    runs: openCountedEngine(world, 'builder').runs,
    trajectories: openTrajectories({ world }),
    annotations: { of: () => ({ start: never, state: never, read: never }) },
    splitsOf: async () => new Map(),
    checkEndpoint: () => undefined,
  })
  const own = datasets.of('cost')
  const { id } = await own.create(datasetRequestSchema.parse({ runs: [run], parameters: { min_reward: 0 } }))
  for (let next = await datasets.advance({ dataset: id }); next.length > 0; ) {
    const [work, ...later] = next
    if (work !== undefined) next = [...later, ...(await datasets.advance(work))]
  }
  const { status, error } = await own.get(id)
  if (status !== 'succeeded') throw new Error(`The dataset is ${status}: ${error}`)
}
