import { type Counted, perInvocation, toCounted } from './cost-of-run.ts'
import { type CountedDataset, countDataset } from './count-dataset.ts'
import { type CountedEpisodes, countEpisodes } from './count-episodes.ts'
import { countIdle } from './count-idle.ts'
import type { Operations } from './operations.ts'

export interface Measured {
  kinds: Record<Kind, { counted: Counted; played: CountedEpisodes }>
  idle: Operations
  dataset: CountedDataset
}

export type Kind = (typeof kinds)[number]

export const kinds = ['react', 'mcts', 'rmcts', 'learnact'] as const

/** Few of the large ones, which take seconds each and differ less. */
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
