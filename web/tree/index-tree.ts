import type { Tree, TreeNode } from '../../shared/contracts/tree.ts'

/** A stored tree with what a page asks of it again and again: the descendants of each node, and their number. */
export interface TreeIndex {
  tree: Tree
  /** For each node its children, in the order in which they came. */
  children: readonly (readonly number[])[]
  /** For each node how many are below it, at any depth. */
  below: Int32Array
}

export function indexTree(tree: Tree): TreeIndex {
  const { nodes } = tree
  const children: number[][] = nodes.map(() => [])
  const below = new Int32Array(nodes.length)
  nodes.forEach(({ parent }, index) => {
    if (parent !== null) children[parent]?.push(index)
  })
  // A parent always comes before its children.
  for (let index = nodes.length - 1; index > 0; index--) {
    const parent = nodes[index]?.parent ?? 0
    below[parent] = (below[parent] ?? 0) + 1 + (below[index] ?? 0)
  }
  return { tree, children, below }
}

/** The node at a position that is known to be one. */
export function nodeAt({ tree }: TreeIndex, index: number): TreeNode {
  const node = tree.nodes[index]
  if (node === undefined) throw new RangeError(`The tree has no node ${index}; it has ${tree.nodes.length}.`)
  return node
}

export function childrenOf({ children }: TreeIndex, index: number): readonly number[] {
  return children[index] ?? []
}

/** The nodes from the root to this one, both included. */
export function pathTo(index: TreeIndex, node: number): number[] {
  const path: number[] = []
  for (let at: number | null = node; at !== null; at = nodeAt(index, at).parent) path.push(at)
  return path.reverse()
}

/** The node's action, or the label of the root. */
export function actionOf({ action }: TreeNode): string {
  return action ?? 'root'
}
