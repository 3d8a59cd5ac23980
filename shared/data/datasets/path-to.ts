import type { Tree, TreeNode } from '../../core/contracts/tree.ts'

/** Positions from the root down to the node. Parents come before their children, so the walk ends. */
export function pathTo(tree: Tree, position: number): number[] {
  const path: number[] = []
  let current: number | null = position
  while (current !== null) {
    const node: TreeNode | undefined = tree.nodes[current]
    if (node === undefined || (node.parent !== null && node.parent >= current)) {
      throw new Error(`The tree of task ${tree.task} is broken at node ${current}.`)
    }
    path.push(current)
    current = node.parent
  }
  return path.reverse()
}
