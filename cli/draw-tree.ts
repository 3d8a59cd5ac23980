import type { Tree, TreeNode } from '../shared/core/contracts/tree.ts'
import { pad, toLine, truncate, widthOf } from './fit-text.ts'

/**
 * Draws `depth` levels below the first node, and the best path always to its end. Folds a node's children beyond
 * `children` into one line with their counts.
 */
export interface TreeDrawing {
  width: number
  node?: number
  depth?: number
  children?: number
}

/**
 * Draws a tree as text. Children are indented below their parent. An only child is directly below it behind `↓`, so
 * that long paths stay narrow. `●` marks the path to the best node, always drawn in full.
 */
export function drawTree(tree: Tree, drawing: TreeDrawing): string[] {
  const { width, node: first = 0, depth = Number.POSITIVE_INFINITY, children: most = 5 } = drawing
  const room = width - nodeNumbers(null).length
  const best = bestPath(tree)
  const childrenOf = listChildren(tree)
  const lines: { text: string; numbers: string }[] = [{ text: '', numbers: nodeNumbers(null) }]

  function draw(node: number, lead: string, rails: string, level: number): void {
    const label = nodeLabel(tree, node, best.has(node))
    // Deep branching can exceed the width. Cut the outer rails first, so that every node keeps its number.
    const text = truncate(cutFront(lead, room - 14) + label, room - 1)
    lines.push({ text, numbers: nodeNumbers(tree.nodes[node] ?? null) })
    const children = childrenOf[node] ?? []
    const shown = chooseChildren(tree, children, { best, most, deep: level >= depth })
    const folded = children.filter((child) => !shown.includes(child))
    for (const [index, child] of shown.entries()) {
      const last = index === shown.length - 1 && folded.length === 0
      if (children.length === 1) draw(child, `${rails}↓ `, rails, level + 1)
      else draw(child, rails + (last ? '└─ ' : '├─ '), rails + (last ? '   ' : '│  '), level + 1)
    }
    if (folded.length === 0) return
    const fold = foldedText(tree, childrenOf, folded)
    lines.push({ text: cutFront(`${rails}└─ `, width - widthOf(fold)) + fold, numbers: '' })
  }

  draw(first, '', '', 0)
  const textWidth = Math.max(...lines.map(({ text, numbers }) => (numbers === '' ? 0 : widthOf(text)))) + 1
  return lines.map(({ text, numbers }) =>
    truncate(numbers === '' ? text : pad(text, Math.min(room, textWidth)) + numbers, width),
  )
}

export function drawTreeWithin(tree: Tree, room: { width: number; lines: number }): string[] {
  let chosen = drawTree(tree, { width: room.width, children: 1, depth: 0 })
  for (const children of [1, 2, 3, 4, 5, 6]) {
    for (const depth of [1, 2, 3, 4, 6, 8, Number.POSITIVE_INFINITY]) {
      const drawn = drawTree(tree, { width: room.width, children, depth })
      if (drawn.length <= room.lines && drawn.length > chosen.length) chosen = drawn
    }
  }
  return chosen
}

function listChildren(tree: Tree): number[][] {
  const children: number[][] = tree.nodes.map(() => [])
  for (const [index, { parent }] of tree.nodes.entries()) if (parent !== null) children[parent]?.push(index)
  return children
}

function chooseChildren(
  tree: Tree,
  children: number[],
  choice: { best: ReadonlySet<number>; most: number; deep: boolean },
): number[] {
  const onPath = children.filter((child) => choice.best.has(child))
  if (choice.deep) return onPath
  if (children.length <= choice.most) return children
  const others = children
    .filter((child) => !choice.best.has(child))
    .sort((left, right) => rank(tree, right) - rank(tree, left) || left - right)
  const kept = new Set([...onPath, ...others.slice(0, Math.max(0, choice.most - onPath.length))])
  return children.filter((child) => kept.has(child))
}

function rank(tree: Tree, index: number): number {
  const node = tree.nodes[index]
  return node === undefined ? 0 : node.visits + Math.min(0.999, Math.max(0, node.value))
}

function foldedText(tree: Tree, childrenOf: number[][], folded: number[]): string {
  let count = 0
  let value = Number.NEGATIVE_INFINITY
  const open = [...folded]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    count++
    value = Math.max(value, tree.nodes[node]?.value ?? value)
    open.push(...(childrenOf[node] ?? []))
  }
  const nodes = count === folded.length ? '' : `, ${count} nodes`
  return `… ${folded.length} more${nodes}, best value ${value.toFixed(2)}`
}

function cutFront(lead: string, room: number): string {
  return lead.length <= room ? lead : `…${lead.slice(lead.length - Math.max(0, room - 1))}`
}

function bestPath(tree: Tree): Set<number> {
  const path = new Set<number>()
  for (let index: number | null = tree.best; index !== null; index = tree.nodes[index]?.parent ?? null) {
    path.add(index)
  }
  return path
}

/** `● #3 ✔ craft 4 stick`: on the best path or not, position, the environment's verdict, action. */
function nodeLabel(tree: Tree, index: number, onBestPath: boolean): string {
  const node = tree.nodes[index]
  const action = node?.action === null ? toLine(tree.task) : toLine(node?.action ?? '')
  return `${onBestPath ? '●' : '○'} #${index} ${ending(node)}${action}`
}

function ending(node: TreeNode | undefined): string {
  if (node?.disaster) return '! '
  if (!node?.done) return ''
  return node.reward > 0 ? '✔ ' : '✘ '
}

function nodeNumbers(node: TreeNode | null): string {
  const [visits, value, reward] =
    node === null
      ? ['visits', 'value', 'reward']
      : [String(node.visits), node.value.toFixed(2), node.reward === 0 ? '·' : node.reward.toFixed(2)]
  return pad(visits, 6, 'left') + pad(value, 7, 'left') + pad(reward, 7, 'left')
}
