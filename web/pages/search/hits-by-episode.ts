import type { TranscriptHit } from '../../../shared/core/contracts/transcript-search.ts'

type EpisodeHits = [first: TranscriptHit, ...others: TranscriptHit[]]

export function hitsByEpisode(hits: readonly TranscriptHit[]): EpisodeHits[] {
  const groups = new Map<string, EpisodeHits>()
  for (const hit of hits) {
    const place = `${hit.run}/${hit.episode}`
    const group = groups.get(place)
    if (group) group.push(hit)
    else groups.set(place, [hit])
  }
  return [...groups.values()]
}
