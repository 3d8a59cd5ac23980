import type { EpisodePlace } from '../../format/addresses.ts'

/** The two episodes that the page shows; it is in its URL. Null where none is chosen. */
export interface EpisodesChoice {
  left: EpisodePlace | null
  right: EpisodePlace | null
}

export type SideName = keyof EpisodesChoice

/** Reads `left` and `right` of an address, each `RUN/EPISODE`; one that is neither counts as not chosen. */
export function readEpisodes(address: URLSearchParams): EpisodesChoice {
  return { left: readPlace(address.get('left')), right: readPlace(address.get('right')) }
}

function readPlace(text: string | null): EpisodePlace | null {
  const [, run, episode] = /^([^/]+)\/([^/]+)$/.exec(text ?? '') ?? []
  return run === undefined || episode === undefined ? null : { run, episode }
}
