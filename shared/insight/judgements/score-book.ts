import type { JudgementFilter } from '../../core/contracts/judgement.ts'
import type { ScoreFigures } from '../../core/contracts/report.ts'
import type { IntervalMethod } from '../reports/bootstrap.ts'
import { type Cluster, estimateReward } from '../reports/estimate.ts'
import type { JudgementStore, StoredJudgement } from './judgement-store.ts'

export type EpisodeScore = { value: number } | { without: 'missing' | 'outdated' } | { error: string }

/**
 * The scores of a run's episodes under one name. If several people judged an episode, the score is the mean of their
 * values. Judgements of an earlier end than the present one do not count, nor those of any scorer or judge but the one
 * that judged last: values of different versions are never averaged.
 */
export class ScoreBook {
  readonly #byEpisode: ReadonlyMap<string, readonly StoredJudgement[]>
  readonly #digest: string | null

  constructor(judgements: Iterable<StoredJudgement>) {
    const byEpisode = new Map<string, StoredJudgement[]>()
    let newest: { at: string; digest: string } | null = null
    for (const judgement of judgements) {
      const known = byEpisode.get(judgement.episode)
      if (known === undefined) byEpisode.set(judgement.episode, [judgement])
      else known.push(judgement)
      const { at, by } = judgement
      if (by.kind === 'scorer' && (newest === null || at >= newest.at)) newest = { at, digest: by.digest }
    }
    this.#byEpisode = byEpisode
    this.#digest = newest?.digest ?? null
  }

  has(episode: string): boolean {
    return this.#byEpisode.has(episode)
  }

  /** @param end - the digest of the episode's present end */
  at(episode: string, end: string): EpisodeScore {
    const all = (this.#byEpisode.get(episode) ?? []).filter(({ node }) => node === null)
    const present = all.filter((each) => this.#counts(each, end))
    const values = present.flatMap(({ value }) => value ?? [])
    if (values.length > 0) return { value: meanOf(values) }
    const failed = present.find(({ error }) => error !== null)
    if (failed !== undefined) return { error: failed.error ?? '' }
    return { without: all.length > 0 ? 'outdated' : 'missing' }
  }

  steps(episode: string, end: string): Record<string, number> {
    const byNode = new Map<number, number[]>()
    for (const judgement of this.#byEpisode.get(episode) ?? []) {
      const { node, value } = judgement
      if (node === null || value === null || !this.#counts(judgement, end)) continue
      byNode.set(node, [...(byNode.get(node) ?? []), value])
    }
    return Object.fromEntries([...byNode].map(([node, values]) => [node, meanOf(values)]))
  }

  #counts({ by, end: judged }: StoredJudgement, end: string): boolean {
    return judged === end && (by.kind === 'person' || by.digest === this.#digest)
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length
}

export async function readBook(
  store: Pick<JudgementStore, 'read'>,
  run: string,
  filter: JudgementFilter & { name: string },
): Promise<ScoreBook> {
  const found: StoredJudgement[] = []
  for await (const judgement of store.read(run, filter)) found.push(judgement)
  return new ScoreBook(found)
}

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

  figures({ kind, name }: Pick<ScoreFigures, 'kind' | 'name'>, interval: IntervalMethod): ScoreFigures {
    return { name, kind, value: estimateReward(this.#clusters.values(), interval), ...this.#counts }
  }
}
