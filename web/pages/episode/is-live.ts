import type { Episode } from '../../../shared/core/contracts/episode.ts'

/** Milliseconds between two reads of an episode while it is played. */
export const liveInterval = 2000

/** Upper bound of the average nodes read per second: each read of a growing tree transfers all of it. */
const nodesPerSecond = 1000

/** Milliseconds between two reads of a growing tree with this many nodes. */
export function treeInterval(nodes: number): number {
  return Math.max(liveInterval, (nodes / nodesPerSecond) * 1000)
}

export function isLive({ status }: Pick<Episode, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

export function hasBegun({
  purpose,
  starts,
  result,
}: Pick<Episode, 'purpose' | 'starts' | 'result'>): boolean {
  return purpose !== 'annotate' && (starts > 0 || result !== null)
}
