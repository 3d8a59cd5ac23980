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
