import type { Tree, TreeNode } from '../../shared/core/contracts/tree.ts'

export interface TreeIndex {
  tree: Tree
  children: readonly (readonly number[])[]
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

export function nodeAt({ tree }: TreeIndex, index: number): TreeNode {
  const node = tree.nodes[index]
  if (node === undefined) throw new RangeError(`The tree has no node ${index}; it has ${tree.nodes.length}.`)
  return node
}

export function childrenOf({ children }: TreeIndex, index: number): readonly number[] {
  return children[index] ?? []
}

export function pathTo(index: TreeIndex, node: number): number[] {
  const path: number[] = []
  for (let at: number | null = node; at !== null; at = nodeAt(index, at).parent) path.push(at)
  return path.reverse()
}

export function actionOf({ action }: TreeNode): string {
  return action ?? 'root'
}
