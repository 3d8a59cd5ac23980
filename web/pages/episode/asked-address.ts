import { episodeAddress } from '../../format/addresses.ts'

/**
 * The page of the episode that an annotation asks about, which is its task: `{run}/{episode}`. Null where that is no episode of a
 * run, such as an imported trajectory.
 */
export function askedAddress(task: string): string | null {
  const [, run, episode] = /^(run-[^/]+)\/(ep-\d+)$/.exec(task) ?? []
  return run === undefined || episode === undefined ? null : episodeAddress(run, episode)
}
