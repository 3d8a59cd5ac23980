import type { Episode } from '../../../shared/contracts/episode.ts'

/** How often an episode is asked for while it is being played, in milliseconds. */
export const liveInterval = 2000

/** Nodes of growing trees that a page reads each second at most, in the long run: each look reads all of a tree. */
const nodesPerSecond = 1000

/** Milliseconds between two looks at a tree of so many nodes while it grows. */
export function treeInterval(nodes: number): number {
  return Math.max(liveInterval, (nodes / nodesPerSecond) * 1000)
}

/** Whether an episode is still queued or being played. */
export function isLive({ status }: Pick<Episode, 'status'>): boolean {
  return status === 'queued' || status === 'running'
}

/** Whether an episode can have a tree: it was started, and it plays or learns. */
export function hasBegun({
  purpose,
  starts,
  result,
}: Pick<Episode, 'purpose' | 'starts' | 'result'>): boolean {
  return purpose !== 'annotate' && (starts > 0 || result !== null)
}
