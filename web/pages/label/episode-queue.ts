import type { Episode } from '../../../shared/contracts/episode.ts'
import type { EpisodeJudgement } from '../../../shared/contracts/judgement.ts'
import type { Outcome } from './label-choice.ts'

/** The episodes that can be judged, in their order: they played a task to an end that says how it was done. */
export function judgeableEpisodes(episodes: readonly Episode[], outcome: Outcome): Episode[] {
  return episodes.filter(({ purpose, result }) => {
    if (purpose !== 'play' || result === null) return false
    if (outcome !== 'any') return result.status === outcome
    return result.status !== 'errored' && result.status !== 'cancelled'
  })
}

/** The ids of the episodes that were judged as a whole. */
export function judgedEpisodes(judgements: readonly EpisodeJudgement[]): Set<string> {
  return new Set(judgements.filter(({ node }) => node === null).map(({ episode }) => episode))
}

/**
 * The episode that comes after one: the next that is wanted, from the beginning again behind the last.
 *
 * @param current - null: the first that is wanted
 * @returns null where no other is wanted
 */
export function nextEpisode(
  queue: readonly Episode[],
  current: string | null,
  isWanted: (id: string) => boolean,
): string | null {
  const at = queue.findIndex(({ id }) => id === current)
  const order = [...queue.slice(at + 1), ...queue.slice(0, at + 1)]
  return order.find(({ id }) => id !== current && isWanted(id))?.id ?? null
}
