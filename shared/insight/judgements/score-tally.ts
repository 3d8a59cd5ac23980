import type { IntervalKind, ScoreFigures } from '../../core/contracts/report.ts'
import { type Cluster, estimateReward } from '../reports/estimate.ts'
import type { EpisodeScore } from './score-book.ts'

export class ScoreTally {
  readonly #clusters = new Map<string, Cluster>()
  readonly #counts = { episodes: 0, scored: 0, missing: 0, errors: 0, outdated: 0 }

  add(task: string, score: EpisodeScore): void {
    this.#counts.episodes += 1
    if ('error' in score) this.#counts.errors += 1
    else if ('without' in score) this.#counts[score.without] += 1
    else {
      this.#counts.scored += 1
      const { count, sum } = this.#clusters.get(task) ?? { count: 0, sum: 0 }
      this.#clusters.set(task, { count: count + 1, sum: sum + score.value })
    }
  }

  figures({ kind, name }: Pick<ScoreFigures, 'kind' | 'name'>, interval: IntervalKind): ScoreFigures {
    return { name, kind, value: estimateReward(this.#clusters.values(), interval), ...this.#counts }
  }
}
