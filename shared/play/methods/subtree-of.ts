import type { SearchNode, SearchTree } from '../search/tree.ts'
import type { PlayedEpisode } from './played-episode.ts'

/**
 * Names the subtree of a search below one child of the root, whose prompts begin alike. Empty for the first child, which
 * goes on with the root's own prompt, and in an episode that is no search.
 */
export function subtreeOf(
  tree: SearchTree,
  node: SearchNode,
  { isSearch }: Pick<PlayedEpisode, 'isSearch'>,
): string {
  const [, top] = tree.path(node)
  return isSearch && top !== undefined && top.index > 1 ? `/${top.index}` : ''
}
