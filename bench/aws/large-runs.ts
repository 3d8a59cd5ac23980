import { z } from 'zod'
import { assumptions } from '../cost/assumptions.ts'
import { comparePlatforms, type PlatformRun } from './compare-platforms.ts'
import type { StageCounts } from './counts.ts'
import recorded from './ends.data.json' with { type: 'json' }
import { type EndsLoad, simulateEnds } from './simulate-ends.ts'
import { meanWave, placesOf } from './simulate-workers.ts'
import { drawTimelines } from './timelines.ts'

export interface LargeRun {
  episodes: number
  parallel: number
  maxWorkers: number
  latency: number
}

type Platform = PlatformRun['platform']

const sizes = [
  { episodes: 1000, parallel: 500, maxWorkers: 1 },
  { episodes: 10_000, parallel: 2000, maxWorkers: 4 },
  { episodes: 100_000, parallel: 8000, maxWorkers: 16 },
]
export const latencies = [2, 20, 60] as const

export const largeRuns: readonly LargeRun[] = latencies.flatMap((latency) =>
  sizes.map((size) => ({ ...size, latency })),
)

/**
 * Maximum number of ends simulated with the engine's code. A longer run is simulated in part, with the same
 * concurrency.
 */
const mostEnds = 16_000

/** Refused transactions per end because of conflicts, by run and platform. */
const conflictsSchema = z.array(
  z.object({
    episodes: z.int(),
    latency: z.number(),
    platform: z.enum(['lambda', 'workers']),
    conflicts: z.number(),
  }),
)
export type RecordedConflicts = z.infer<typeof conflictsSchema>

/** Recorded by `node bench/aws/record-ends.ts`. `test/bench/aws` compares them with the engine. */
export const recordedConflicts: RecordedConflicts = conflictsSchema.parse(recorded)

export function endsOf(counts: StageCounts, run: LargeRun, platform: Platform): EndsLoad {
  const isLambda = platform === 'lambda'
  const gather = isLambda ? assumptions.worker.gather : assumptions.stage.worker.gather
  const timelines = drawTimelines(counts.lambda.mcts.waves, run.latency, gather)
  const wave = meanWave(timelines)
  const waves = timelines.reduce((all, one) => all + one.waves.length, 0) / timelines.length
  const places = isLambda ? assumptions.worker.batch : placesOf(wave)
  return {
    // Workers with fewer places than the run's parallelism play as many episodes as they have places.
    slots: isLambda ? run.parallel : Math.min(run.parallel, run.maxWorkers * places),
    seconds: waves * wave.seconds,
    episodes: Math.min(run.episodes, mostEnds),
    places,
    seed: 1,
  }
}

/**
 * Counts refused transactions per end, with the engine's own code in virtual time.
 * @throws Error if the run does not end
 */
export async function countConflicts(
  counts: StageCounts,
  run: LargeRun,
  platform: Platform,
): Promise<RecordedConflicts[number]> {
  const { conflicts, isComplete } = await simulateEnds(endsOf(counts, run, platform))
  if (!isComplete) throw new Error(`The ends of ${run.episodes} episodes were not all counted.`)
  return { episodes: run.episodes, latency: run.latency, platform, conflicts }
}

export interface SimulatedLargeRun extends PlatformRun {
  conflicts: number
}

export function simulateLargeRun(counts: StageCounts, run: LargeRun): SimulatedLargeRun[] {
  return comparePlatforms(counts, { kind: 'mcts', ...run }).map((played) => {
    const found = recordedConflicts.find(
      ({ episodes, latency, platform }) =>
        episodes === run.episodes && latency === run.latency && platform === played.platform,
    )
    if (found === undefined)
      throw new Error(`No conflicts are recorded of ${run.episodes} episodes at ${run.latency} s.`)
    return { ...played, conflicts: found.conflicts * run.episodes }
  })
}
