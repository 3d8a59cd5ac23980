export function runAddress(run: string): string {
  return `/runs/${encodeURIComponent(run)}`
}

export function episodeAddress(
  run: string,
  episode: string,
  { node, colour }: { node?: number; colour?: string } = {},
): string {
  const query = node !== undefined ? `?node=${node}` : colour !== undefined ? `?colour=${colour}` : ''
  return `${runAddress(run)}/episodes/${encodeURIComponent(episode)}${query}`
}

export function askedAddress(task: string): string | null {
  const [, run, episode] = /^(run-[^/]+)\/(ep-\d+)$/.exec(task) ?? []
  return run === undefined || episode === undefined ? null : episodeAddress(run, episode)
}

export function graphAddress(runs: readonly string[], task: string): string {
  return `/graph?${new URLSearchParams({ runs: runs.join(','), task })}`
}

export function searchAddress(run: string): string {
  return `/search?run=${encodeURIComponent(run)}`
}

export function labelAddress(run: string, { episode }: { episode?: string } = {}): string {
  const query = episode === undefined ? '' : `?episode=${encodeURIComponent(episode)}`
  return `${runAddress(run)}/label${query}`
}

export function datasetAddress(dataset: string): string {
  return `/datasets/${encodeURIComponent(dataset)}`
}

export function rolloutAddress(rollout: string): string {
  return `/rollouts/${encodeURIComponent(rollout)}`
}

export function libraryAddress(library: string): string {
  return `/libraries/${encodeURIComponent(library)}`
}

export function memoryAddress(memory: string): string {
  return `/memories/${encodeURIComponent(memory)}`
}

export function compareAddress(runs: readonly string[]): string {
  return `/compare?runs=${runs.map(encodeURIComponent).join(',')}`
}

export interface EpisodePlace {
  run: string
  episode: string
}

export interface ComparedEpisodes {
  left: EpisodePlace | null
  right: EpisodePlace | null
}

export function compareEpisodesAddress({ left, right }: ComparedEpisodes): string {
  const sides = Object.entries({ left, right }).flatMap(([side, place]) =>
    place === null ? [] : `${side}=${encodeURIComponent(place.run)}/${encodeURIComponent(place.episode)}`,
  )
  return `/compare/episodes${sides.length > 0 ? `?${sides.join('&')}` : ''}`
}

export function readComparedEpisodes(address: URLSearchParams): ComparedEpisodes {
  return { left: readPlace(address.get('left')), right: readPlace(address.get('right')) }
}

function readPlace(text: string | null): EpisodePlace | null {
  const [, run, episode] = /^([^/]+)\/([^/]+)$/.exec(text ?? '') ?? []
  return run === undefined || episode === undefined ? null : { run, episode }
}

export function leaderboardAddress(experiment: string): string {
  return `/leaderboard?experiment=${encodeURIComponent(experiment)}`
}

export function loopAddress(loop: string): string {
  return `/loops/${encodeURIComponent(loop)}`
}

export function trainingAddress(training: string): string {
  return `/trainings/${encodeURIComponent(training)}`
}

export function modelAddress(model: string): string {
  return `/models/${encodeURIComponent(model)}`
}

export function endpointAddress(endpoint: string): string {
  return `/endpoints/${encodeURIComponent(endpoint)}`
}
