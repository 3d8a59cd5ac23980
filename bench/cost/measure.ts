import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scaleHosts } from '../../functions/scale-hosts/scale-hosts.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import { fleetLimitsSchema } from '../../shared/environments/hosts/fleet-limits.ts'
import { countingWorld } from '../../test/support/counting-world.ts'
import { type Counted, perInvocation, toCounted } from './cost-of-run.ts'
import { type CountedDataset, countDataset } from './count-dataset.ts'
import { type CountedEpisodes, countEpisodes } from './count-episodes.ts'
import { openCountedEngine } from './open-counted-engine.ts'
import type { Operations } from './operations.ts'

export interface Measured {
  kinds: Record<Kind, { counted: Counted; played: CountedEpisodes }>
  idle: Operations
  dataset: CountedDataset
}

export type Kind = (typeof kinds)[number]

export const kinds = ['react', 'mcts', 'rmcts', 'learnact'] as const

const sizes: Record<Kind, number> = { react: 50, mcts: 20, rmcts: 20, learnact: 50 }

export async function measure(): Promise<Measured> {
  const idle = await countIdle()
  const alone = await countEpisodes({ method: { id: 'react' }, episodes: sizes.react, batch: 1 })
  const react = await countEpisodes({ method: { id: 'react' }, episodes: sizes.react, batch: 10 })
  const mcts = await countEpisodes({ method: { id: 'mcts' }, episodes: sizes.mcts, batch: 10 })
  // Two rounds, so that episodes read the memories of others.
  const rmcts = await countEpisodes({
    method: { id: 'rmcts', round_size: sizes.rmcts / 2 },
    episodes: sizes.rmcts,
    batch: 10,
  })
  const learnact = await countEpisodes({
    method: { id: 'learnact' },
    learned: true,
    episodes: sizes.learnact,
    batch: 10,
  })
  const invocation = perInvocation(react, alone)
  const both = (played: CountedEpisodes) => ({ played, counted: toCounted(played, invocation) })
  return {
    kinds: { react: both(react), mcts: both(mcts), rmcts: both(rmcts), learnact: both(learnact) },
    idle,
    dataset: await countDataset(),
  }
}

async function countIdle(): Promise<Operations> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-cost-'))
  const local = await openLocalWorld({ folder })
  try {
    const { world, counted } = countingWorld(local)
    await openCountedEngine(world, 'sweep').sweep({ lostAfter: 3600 })
    const caller = {
      call: async () => {
        throw new Error('There is no host to call.')
      },
    }
    const fleets = { 'env-host': fleetLimitsSchema.parse({}) }
    await scaleHosts({ world, caller, fleets, log: () => undefined }, () => 0)
    return counted()
  } finally {
    await local.close()
    await rm(folder, { recursive: true, force: true })
  }
}
