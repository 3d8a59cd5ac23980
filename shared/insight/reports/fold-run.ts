import { type AnswerCounts, addAnswers } from '../../core/contracts/answers.ts'
import type { Episode } from '../../core/contracts/episode.ts'
import type { Report } from '../../core/contracts/report.ts'
import type { Run } from '../../core/contracts/run.ts'
import type { RunShape } from '../../core/contracts/run-shape.ts'
import { addUsage, noUsage, type Usage } from '../../core/contracts/usage.ts'
import { ShapeFold } from './run-shape.ts'
import { countEpisode, type TaskTally } from './task-tally.ts'

const errorsListed = 1000

export interface RunFold {
  tallies: ReadonlyMap<string, TaskTally>
  learningEpisodes: number
  learning: Usage
  unparsable: number
  answers: AnswerCounts | null
  errors: Report['errors']
  // Played episodes only. Unlike `errors` it has no upper bound.
  errored: number
  limits: ReadonlyMap<string, number>
  shape: RunShape
}

/**
 * Sums up a run's episodes in one pass, so that memory grows with the tasks alone.
 * @param onEach called with each of them
 */
export async function foldRun(
  episodes: AsyncIterable<Episode>,
  onEach: (episode: Episode) => void = () => undefined,
): Promise<RunFold> {
  const tallies = new Map<string, TaskTally>()
  const errors: Report['errors'] = []
  const limits = new Map<string, number>()
  const shape = new ShapeFold()
  let errored = 0
  let learningEpisodes = 0
  let learning = noUsage
  let unparsable = 0
  let answers: AnswerCounts | null = null
  for await (const episode of episodes) {
    countEpisode(tallies, episode)
    shape.add(episode)
    onEach(episode)
    const { purpose, result } = episode
    if (purpose === 'learn') {
      learningEpisodes += 1
      learning = addUsage(learning, result?.usage ?? noUsage)
    }
    unparsable += result?.unparsable ?? 0
    if (result?.answers) answers = answers ? addAnswers(answers, result.answers) : result.answers
    if (purpose === 'play' && result?.status === 'errored') errored += 1
    if (result?.status === 'errored' && errors.length < errorsListed) {
      errors.push({
        episode: episode.id,
        task: episode.task,
        name: result.error?.name ?? 'Error',
        message: result.error?.message ?? 'The episode ended with an error that left no message.',
      })
    }
    if (result?.status === 'limited') {
      const limit = result.limit ?? 'unknown'
      limits.set(limit, (limits.get(limit) ?? 0) + 1)
    }
  }
  const counts = { errored, learningEpisodes, unparsable }
  return { ...counts, tallies, learning, answers, errors, limits, shape: shape.shape() }
}

const ends: ReadonlySet<Run['status']> = new Set(['succeeded', 'failed'])

/** Maximum tasks and errors kept, of all folds together: about a kilobyte each. */
const mostKept = 100_000

/**
 * Caches the folds of runs that succeeded or failed, whose episodes do not change until the run is continued.
 * Concurrent requests for one share its computation. The folds of other runs are computed each time.
 */
export class RunFolds {
  readonly #kept = new Map<string, { end: string; size: number; fold: Promise<RunFold> }>()

  get(run: Run, episodes: () => AsyncIterable<Episode>): Promise<RunFold> {
    if (!ends.has(run.status)) return foldRun(episodes())
    const end = JSON.stringify([run.status, run.ended_at, run.episodes])
    const known = this.#kept.get(run.id)
    this.#kept.delete(run.id)
    const kept = known?.end === end ? known : this.#make(run.id, end, episodes)
    this.#kept.set(run.id, kept)
    return kept.fold
  }

  #make(run: string, end: string, episodes: () => AsyncIterable<Episode>) {
    const kept = { end, size: 0, fold: foldRun(episodes()) }
    kept.fold.then(
      ({ errors, tallies }) => {
        kept.size = 1 + tallies.size + errors.length
        this.#forgetOldest()
      },
      () => {
        if (this.#kept.get(run) === kept) this.#kept.delete(run)
      },
    )
    return kept
  }

  #forgetOldest(): void {
    let size = [...this.#kept.values()].reduce((sum, kept) => sum + kept.size, 0)
    for (const [run, kept] of this.#kept) {
      if (size <= mostKept) return
      this.#kept.delete(run)
      size -= kept.size
    }
  }
}
