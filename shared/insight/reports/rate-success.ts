import { annotatedDataset } from '../../core/contracts/annotated-dataset.ts'
import type { Episode } from '../../core/contracts/episode.ts'
import type { Estimate, SuccessRates } from '../../core/contracts/report.ts'
import type { Run } from '../../core/contracts/run.ts'
import { type Cluster, estimateRate, noEstimate } from './estimate.ts'
import { countEpisode, successClusters, type TaskTally } from './task-tally.ts'

const mostOfRun = 5000
const mostInAll = 10_000

type Rate = SuccessRates['rates'][number]

/**
 * The success rate of each run, as in its report, with the least possible reading: from the run's counters if they
 * are sufficient, else from its episodes, and from the bare share if those are too many.
 */
export async function rateSuccess(
  runs: readonly Run[],
  episodesOf: (run: string) => AsyncIterable<Episode>,
): Promise<Rate[]> {
  const rates: Rate[] = []
  let read = 0
  for (const run of runs) {
    const named = { run: run.id, provenance: run.provenance }
    const counted = fromCounts(run)
    if (counted !== null) {
      rates.push({ ...named, success_rate: counted, of: 'counts' })
      continue
    }
    const { total } = run.episodes
    const isReadable = total <= mostOfRun && read + total <= mostInAll
    if (isReadable) read += total
    rates.push(
      isReadable
        ? { ...named, success_rate: await fromEpisodes(episodesOf(run.id)), of: 'episodes' }
        : { ...named, success_rate: shareOf(run), of: 'share' },
    )
  }
  return rates
}

function fromCounts(run: Run): Estimate | null {
  const { errored, failed, cancelled, limited, succeeded, total } = run.episodes
  const { learning_episodes: learning } = run
  if (annotatedDataset(run) !== null || succeeded + failed + limited === 0) return noEstimate
  if (run.request.epochs > 1 || limited > 0) return null
  // Learning episodes end as `succeeded`; the counters do not say how many have, until all are known to.
  const hasLearned = learning === 0 || (succeeded + failed === total && errored + cancelled === 0)
  if (!hasLearned) return null
  return estimateRate([
    ...Array.from({ length: succeeded - learning }, (): Cluster => ({ count: 1, sum: 1 })),
    ...Array.from({ length: failed }, (): Cluster => ({ count: 1, sum: 0 })),
  ])
}

async function fromEpisodes(episodes: AsyncIterable<Episode>): Promise<Estimate> {
  const tallies = new Map<string, TaskTally>()
  for await (const episode of episodes) countEpisode(tallies, episode)
  return estimateRate(successClusters(tallies.values()))
}

function shareOf({
  episodes: { failed, limited, succeeded, total },
  learning_episodes: learning,
  request,
}: Run): Estimate {
  const won = Math.max(0, succeeded - learning)
  const count = won + failed
  // A limited episode may have a reward, which no counter says.
  if (count === 0 || limited > 0) return noEstimate
  const tasks = Math.ceil((total - learning) / request.epochs)
  return { mean: won / count, stderr: null, ci: null, count, tasks: Math.min(count, tasks) }
}
