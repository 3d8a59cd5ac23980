import type { Tree, TreeNode } from '../../../core/contracts/tree.ts'

/** @throws RangeError if the tree has no such node, which happens only in a damaged tree */
export function nodeAt({ task, nodes }: Tree, id: number): TreeNode {
  const node = nodes[id]
  if (node === undefined) throw new RangeError(`The tree of task ${task} has no node ${id}.`)
  return node
}
