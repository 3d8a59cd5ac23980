import type { Tree, TreeNode } from '../../contracts/tree.ts'

/** @throws RangeError where the tree has no such node, which only a damaged tree brings about */
export function nodeAt({ task, nodes }: Tree, id: number): TreeNode {
  const node = nodes[id]
  if (node === undefined) throw new RangeError(`The tree of task ${task} has no node ${id}.`)
  return node
}
