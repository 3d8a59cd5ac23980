import { z } from 'zod'
import { economy, workerEconomy } from '../../functions/aws/economy.ts'
import { type Counted, perInvocation, toCounted } from '../cost/cost-of-run.ts'
import { type CountedEpisodes, countEpisodes } from '../cost/count-episodes.ts'
import { nothing, type Operations } from '../cost/operations.ts'
import recorded from './counts.data.json' with { type: 'json' }

export type SimulatedKind = 'react' | 'mcts'

/** The real engine's operations per episode, counted once and stored, so that simulations need not play. */
export interface StageCounts {
  /** With the economy of an invocation, and the calls of each wave of some episodes. */
  lambda: Record<SimulatedKind, Omit<Counted, 'invocation'>>
  // Without the objects of the workers' logs.
  workers: Record<SimulatedKind, Operations>
  invocation: Operations
}

const operationsSchema = z.object(
  Object.fromEntries(Object.keys(nothing).map((name) => [name, z.number()])) as Record<
    keyof Operations,
    z.ZodNumber
  >,
)
const kindSchema = z.object({ episode: operationsSchema, waves: z.array(z.array(z.int())) })
const countsSchema = z.object({
  lambda: z.object({ react: kindSchema, mcts: kindSchema }),
  workers: z.object({ react: operationsSchema, mcts: operationsSchema }),
  invocation: operationsSchema,
})

/** Recorded by `node bench/aws/record-counts.ts`. `test/cost` compares them with the engine. */
export const recordedCounts: StageCounts = countsSchema.parse(recorded)

// Objects of logs follow from time, not from episodes, and none passes here.
const grouping = { ...workerEconomy, groupFor: 5 }

export async function countStage(): Promise<StageCounts> {
  const react = { method: { id: 'react' }, episodes: 50 }
  const mcts = { method: { id: 'mcts' }, episodes: 20 }
  const alone = await countEpisodes({ ...react, batch: 1, economy })
  const batches = await countEpisodes({ ...react, batch: 10, economy })
  return toCounts(alone, {
    lambda: { react: batches, mcts: await countEpisodes({ ...mcts, batch: 10, economy }) },
    workers: {
      react: await countEpisodes({ ...react, batch: react.episodes, economy: grouping }),
      mcts: await countEpisodes({ ...mcts, batch: mcts.episodes, economy: grouping }),
    },
  })
}

export function toCounts(
  alone: CountedEpisodes,
  { lambda, workers }: Record<'lambda' | 'workers', Record<SimulatedKind, CountedEpisodes>>,
): StageCounts {
  const invocation = perInvocation(lambda.react, alone)
  const counted = (played: CountedEpisodes) => {
    const { episode, waves } = toCounted(played, invocation)
    return { episode, waves }
  }
  const ofWorkers = (played: CountedEpisodes) => {
    const { episode } = counted(played)
    return {
      ...episode,
      s3_writes: episode.s3_writes - (played.purposes.get('put log') ?? 0) / played.episodes,
    }
  }
  return {
    lambda: { react: counted(lambda.react), mcts: counted(lambda.mcts) },
    workers: { react: ofWorkers(workers.react), mcts: ofWorkers(workers.mcts) },
    invocation,
  }
}
