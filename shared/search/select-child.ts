import type { SearchNode, SearchTree } from './search-tree.ts'

/** The non-terminal child with the highest score, the first of equals; null when every child is terminal. */
export function selectChild(
  tree: SearchTree,
  node: SearchNode,
  score: (child: SearchNode) => number,
): SearchNode | null {
  let selected: SearchNode | null = null
  let highest = Number.NEGATIVE_INFINITY
  for (const child of tree.children(node)) {
    if (child.terminal) continue
    const value = score(child)
    if (selected === null || value > highest) {
      selected = child
      highest = value
    }
  }
  return selected
}
