import type { Growth } from '../../shared/core/contracts/growth.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { childrenOf, nodeAt, type TreeIndex } from './index-tree.ts'
import type { TreeMoment } from './tree-moment.ts'

/**
 * Rebuilds the tree after the first `happened` steps of its growth, with the rules of the search's own tree
 * (shared/play/search/tree.ts). After the last step it equals `tree.json`.
 *
 * Events of nodes missing from the tree are skipped, because the page reads a growing tree and its growth one after
 * the other.
 *
 * @param steps - the number of steps so far, from 0
 */
export function foldGrowth(index: TreeIndex, { answer, steps }: Growth, happened: number): TreeMoment {
  const total = index.tree.nodes.length
  const visits = new Int32Array(total)
  const sums = new Float64Array(total)
  const terminal = Uint8Array.from(index.tree.nodes, (_, node) => Number(beganTerminal(index, node)))
  const present = new Int32Array(total)
  const open = new Int32Array(total)
  let count = 1
  let best = 0
  let isCommitted = false

  for (const { events } of steps.slice(0, happened)) {
    for (const event of events) {
      if (event.node >= total) continue
      if (event.type === 'node') add(event.node)
      else if (event.type === 'value') backUp(event.node, event.value)
      else {
        best = event.node
        isCommitted = true
      }
    }
  }

  function add(node: number): void {
    count = Math.max(count, node + 1)
    const { parent } = nodeAt(index, node)
    if (parent !== null) {
      present[parent] = at(present, parent) + 1
      if (at(terminal, node) === 0) open[parent] = at(open, parent) + 1
    }
    if (answer === 'last' || (answer === 'best' && isBetter(node))) best = node
  }

  function isBetter(node: number): boolean {
    const reward = nodeAt(index, node).reward
    const known = nodeAt(index, best).reward
    return reward > known || (reward === known && at(terminal, node) === 1 && at(terminal, best) === 0)
  }

  function backUp(from: number, value: number): void {
    for (let node: number | null = from; node !== null; node = nodeAt(index, node).parent) {
      visits[node] = at(visits, node) + 1
      sums[node] = at(sums, node) + value
      if (answer === 'best' && at(terminal, node) === 0 && at(present, node) > 0 && at(open, node) === 0) {
        close(node)
      }
    }
  }

  function close(node: number): void {
    terminal[node] = 1
    const { parent } = nodeAt(index, node)
    if (parent !== null) open[parent] = at(open, parent) - 1
  }

  const moment = {
    count,
    visits,
    values: sums.map((sum, node) => (at(visits, node) === 0 ? 0 : sum / at(visits, node))),
    terminal,
    best,
  }
  if (answer === 'most-visited' && !isCommitted) moment.best = mostVisited(index, moment)
  return moment
}

function beganTerminal(index: TreeIndex, node: number): boolean {
  const { terminal, done } = nodeAt(index, node)
  return terminal && (done || childrenOf(index, node).length === 0)
}

function mostVisited(index: TreeIndex, { visits, values, count }: TreeMoment): number {
  let node = 0
  for (;;) {
    let next: number | null = null
    for (const child of childrenOf(index, node)) {
      if (child >= count || at(visits, child) === 0) continue
      if (next === null || at(visits, child) > at(visits, next)) next = child
      else if (at(visits, child) === at(visits, next) && at(values, child) > at(values, next)) next = child
    }
    if (next === null) return node
    node = next
  }
}

function at(figures: Int32Array | Float64Array | Uint8Array, node: number): number {
  return figures[node] ?? 0
}

export function nodesOfStep({ nodes }: Tree, { steps }: Growth, happened: number): number[] {
  const events = steps[happened - 1]?.events ?? []
  return [...new Set(events.map(({ node }) => node))].filter((node) => node < nodes.length)
}
