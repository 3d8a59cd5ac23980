import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { EpisodeJudgement } from '../../../shared/core/contracts/judgement.ts'
import type { Outcome } from './label-choice.ts'

export function judgeableEpisodes(episodes: readonly Episode[], outcome: Outcome): Episode[] {
  return episodes.filter(({ purpose, result }) => {
    if (purpose !== 'play' || result === null) return false
    if (outcome !== 'any') return result.status === outcome
    return result.status !== 'errored' && result.status !== 'cancelled'
  })
}

export function judgedEpisodes(judgements: readonly EpisodeJudgement[]): Set<string> {
  return new Set(judgements.filter(({ node }) => node === null).map(({ episode }) => episode))
}

export function nextEpisode(
  queue: readonly Episode[],
  current: string | null,
  isWanted: (id: string) => boolean,
): string | null {
  const at = queue.findIndex(({ id }) => id === current)
  const order = [...queue.slice(at + 1), ...queue.slice(0, at + 1)]
  return order.find(({ id }) => id !== current && isWanted(id))?.id ?? null
}
