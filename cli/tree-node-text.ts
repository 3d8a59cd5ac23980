import type { Tree, TreeNode } from '../shared/core/contracts/tree.ts'
import { pad, toLine } from './fit-text.ts'

export function bestPath(tree: Tree): Set<number> {
  const path = new Set<number>()
  for (let index: number | null = tree.best; index !== null; index = tree.nodes[index]?.parent ?? null) {
    path.add(index)
  }
  return path
}

/** `● #3 ✔ craft 4 stick`: on the best path or not, position, the environment's verdict, action. */
export function nodeLabel(tree: Tree, index: number, onBestPath: boolean): string {
  const node = tree.nodes[index]
  const action = node?.action === null ? toLine(tree.task) : toLine(node?.action ?? '')
  return `${onBestPath ? '●' : '○'} #${index} ${ending(node)}${action}`
}

function ending(node: TreeNode | undefined): string {
  if (node?.disaster) return '! '
  if (!node?.done) return ''
  return node.reward > 0 ? '✔ ' : '✘ '
}

export function nodeNumbers(node: TreeNode | null): string {
  const [visits, value, reward] =
    node === null
      ? ['visits', 'value', 'reward']
      : [String(node.visits), node.value.toFixed(2), node.reward === 0 ? '·' : node.reward.toFixed(2)]
  return pad(visits, 6, 'left') + pad(value, 7, 'left') + pad(reward, 7, 'left')
}
