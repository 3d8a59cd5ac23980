import type { JudgementFilter } from '../contracts/judgement.ts'
import type { JudgementStore, StoredJudgement } from './judgement-store.ts'

/** What an episode has under a name: a value, or why it has none. */
export type EpisodeScore = { value: number } | { without: 'missing' | 'outdated' } | { error: string }

/**
 * The scores of a run's episodes under one name. Where several people judged an episode, it is the mean of their values. What was
 * judged of an earlier end than the present one does not count.
 */
export class ScoreBook {
  readonly #byEpisode: ReadonlyMap<string, readonly StoredJudgement[]>

  /** @param judgements - under one name */
  constructor(judgements: Iterable<StoredJudgement>) {
    const byEpisode = new Map<string, StoredJudgement[]>()
    for (const judgement of judgements) {
      const known = byEpisode.get(judgement.episode)
      if (known === undefined) byEpisode.set(judgement.episode, [judgement])
      else known.push(judgement)
    }
    this.#byEpisode = byEpisode
  }

  /** Whether anything was judged of the episode, at any of its ends. */
  has(episode: string): boolean {
    return this.#byEpisode.has(episode)
  }

  /** @param end - the digest of the episode's present end */
  at(episode: string, end: string): EpisodeScore {
    const all = (this.#byEpisode.get(episode) ?? []).filter(({ node }) => node === null)
    const present = all.filter((each) => each.end === end)
    const values = present.flatMap(({ value }) => value ?? [])
    if (values.length > 0) return { value: meanOf(values) }
    const failed = present.find(({ error }) => error !== null)
    if (failed !== undefined) return { error: failed.error ?? '' }
    return { without: all.length > 0 ? 'outdated' : 'missing' }
  }

  /** The values of the episode's judged steps, by the positions of their nodes. */
  steps(episode: string, end: string): Record<string, number> {
    const byNode = new Map<number, number[]>()
    for (const judgement of this.#byEpisode.get(episode) ?? []) {
      const { node, value } = judgement
      if (node === null || value === null || judgement.end !== end) continue
      byNode.set(node, [...(byNode.get(node) ?? []), value])
    }
    return Object.fromEntries([...byNode].map(([node, values]) => [node, meanOf(values)]))
  }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length
}

/** The scores of a run's episodes under the name in the filter. */
export async function readBook(
  store: Pick<JudgementStore, 'read'>,
  run: string,
  filter: JudgementFilter & { name: string },
): Promise<ScoreBook> {
  const found: StoredJudgement[] = []
  for await (const judgement of store.read(run, filter)) found.push(judgement)
  return new ScoreBook(found)
}
