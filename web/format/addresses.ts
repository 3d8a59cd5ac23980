/** The address of a run's page. */
export function runAddress(run: string): string {
  return `/runs/${encodeURIComponent(run)}`
}

/**
 * The address of an episode's page, open at a node where one is named.
 *
 * @example
 * episodeAddress('run-1', 'ep-0000003', { node: 12 }) // '/runs/run-1/episodes/ep-0000003?node=12'
 */
export function episodeAddress(run: string, episode: string, { node }: { node?: number } = {}): string {
  const query = node === undefined ? '' : `?node=${node}`
  return `${runAddress(run)}/episodes/${encodeURIComponent(episode)}${query}`
}

/** Searches the transcripts of a run. */
export function searchAddress(run: string): string {
  return `/search?run=${encodeURIComponent(run)}`
}

/** Where people judge the episodes of a run, open at an episode where one is named. */
export function labelAddress(run: string, { episode }: { episode?: string } = {}): string {
  const query = episode === undefined ? '' : `?episode=${encodeURIComponent(episode)}`
  return `${runAddress(run)}/label${query}`
}

export function datasetAddress(dataset: string): string {
  return `/datasets/${encodeURIComponent(dataset)}`
}

/** The address of a library's page. */
export function libraryAddress(library: string): string {
  return `/libraries/${encodeURIComponent(library)}`
}

/** The address of a memory's page. */
export function memoryAddress(memory: string): string {
  return `/memories/${encodeURIComponent(memory)}`
}

/** Compares runs, the first being the baseline. */
export function compareAddress(runs: readonly string[]): string {
  return `/compare?runs=${runs.map(encodeURIComponent).join(',')}`
}

/** An episode by its run and its own id. */
export interface EpisodePlace {
  run: string
  episode: string
}

/** Two episodes that are compared; null where none is chosen yet. */
export interface ComparedEpisodes {
  left: EpisodePlace | null
  right: EpisodePlace | null
}

/** The final trajectories of two episodes beside each other; a side that is not chosen is left out. */
export function compareEpisodesAddress({ left, right }: ComparedEpisodes): string {
  const sides = Object.entries({ left, right }).flatMap(([side, place]) =>
    place === null ? [] : `${side}=${encodeURIComponent(place.run)}/${encodeURIComponent(place.episode)}`,
  )
  return `/compare/episodes${sides.length > 0 ? `?${sides.join('&')}` : ''}`
}

/** Reads `left` and `right` of such an address, each `RUN/EPISODE`; one that is neither counts as not chosen. */
export function readComparedEpisodes(address: URLSearchParams): ComparedEpisodes {
  return { left: readPlace(address.get('left')), right: readPlace(address.get('right')) }
}

function readPlace(text: string | null): EpisodePlace | null {
  const [, run, episode] = /^([^/]+)\/([^/]+)$/.exec(text ?? '') ?? []
  return run === undefined || episode === undefined ? null : { run, episode }
}

/** The leaderboard of an experiment. */
export function leaderboardAddress(experiment: string): string {
  return `/leaderboard?experiment=${encodeURIComponent(experiment)}`
}

export function loopAddress(loop: string): string {
  return `/loops/${encodeURIComponent(loop)}`
}

/** The address of a training's page. */
export function trainingAddress(training: string): string {
  return `/trainings/${encodeURIComponent(training)}`
}

/** The address of a registered model's page. */
export function modelAddress(model: string): string {
  return `/models/${encodeURIComponent(model)}`
}

/** The address of an endpoint's page. */
export function endpointAddress(endpoint: string): string {
  return `/endpoints/${encodeURIComponent(endpoint)}`
}
