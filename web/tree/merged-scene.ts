import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import type { Tree, TreeNode } from '../../shared/core/contracts/tree.ts'
import { countOf } from '../format/count-of.ts'
import { shortText } from '../format/short-text.ts'
import type { Colouring } from './colouring.ts'
import { type MergedGraph, type MergedSource, partingEdges, solvedAmong } from './merge-trees.ts'
import { shades } from './palette.ts'

// The look of an edge: its colour is the share of its episodes that solved the task, its width their number.
export interface FlowEdge {
  // A position in the palette; null: none of its episodes has an outcome.
  shade: number | null
  width: number
}

export interface Flow {
  // By node: the edge by which it hangs in the map.
  edges: readonly FlowEdge[]
  // Edges to a state that hangs elsewhere in the map.
  links: readonly (FlowEdge & { from: number; to: number })[]
}

export interface MergedMap {
  // The states as nodes that hang on their shortest ways. Visits are episodes; the answer is where most solved ones end.
  tree: Tree
  colouring: Colouring
  flow: Flow
  forks: number[]
}

const leastWidth = 1
const mostWidth = 7

// The merged graph as a tree with further edges, so that the map and the outline of trees show it.
export function mergedMap(graph: MergedGraph, sources: readonly MergedSource[]): MergedMap {
  const { edges, states } = graph
  const lookOf = (taken: readonly number[]): FlowEdge => {
    const share = solvedAmong(sources, taken)
    return {
      shade: share === null ? null : Math.round(share * (shades - 1)),
      width: leastWidth + ((mostWidth - leastWidth) * taken.length) / Math.max(1, sources.length),
    }
  }
  const nodes = states.map((state): TreeNode => {
    const [first = 0] = state.sources
    const shown = sources[first]?.tree.nodes[state.nodes.get(first) ?? 0]
    const edge = state.tree === null ? undefined : edges[state.tree]
    return {
      ...(shown as TreeNode),
      parent: edge === undefined ? null : edge.from,
      depth: state.depth,
      action: edge === undefined ? null : (edge.actions[0]?.[0] ?? ''),
      message: null,
      reward: 0,
      terminal: shown?.done ?? false,
      disaster: false,
      valid: true,
      visits: state.sources.length,
      value: solvedAmong(sources, state.sources) ?? 0,
    }
  })
  const figures = states.flatMap((state, at) => {
    const share = solvedAmong(sources, state.sources)
    return share === null ? [] : [[at, share] as const]
  })
  const hanging = new Set(states.map(({ tree }) => tree))
  const [first] = sources
  return {
    tree: { ...(first as MergedSource).tree, messages: [], best: mostSolvedEnd(graph, sources), nodes },
    colouring: { colour: 'solved', range: { low: 0, high: 1 }, figures: new Map(figures) },
    flow: {
      edges: states.map(({ tree }) => lookOf(edges[tree ?? -1]?.sources ?? [])),
      links: edges.flatMap(({ from, sources: taken, to }, at) =>
        hanging.has(at) || from === to ? [] : [{ from, to, ...lookOf(taken) }],
      ),
    },
    forks: [...states.keys()].filter((state) => partingEdges(graph, state).length > 0),
  }
}

function mostSolvedEnd({ states }: MergedGraph, sources: readonly MergedSource[]): number {
  const solvedAt = ({ ends }: MergedGraph['states'][number]) =>
    ends.filter((at) => sources[at]?.solved === true).length
  let best = 0
  let most = 0
  for (const [at, state] of states.entries()) {
    const solved = solvedAt(state)
    if (solved > most) {
      best = at
      most = solved
    }
  }
  return best
}

// The forks whose edges differ most in their shares of solved episodes, then the most visited ones.
export function tellingForks(
  graph: MergedGraph,
  sources: readonly MergedSource[],
  most: number,
): { state: number; spread: number }[] {
  return [...graph.states.keys()]
    .flatMap((state) => {
      const parting = partingEdges(graph, state)
      if (parting.length === 0) return []
      const shares = parting.flatMap((edge) => solvedAmong(sources, edge.sources) ?? [])
      const spread = shares.length === 0 ? 0 : Math.max(...shares) - Math.min(...shares)
      return [{ state, spread, count: graph.states[state]?.sources.length ?? 0 }]
    })
    .toSorted((left, right) => right.spread - left.spread || right.count - left.count)
    .slice(0, most)
    .map(({ spread, state }) => ({ state, spread }))
}

export function describeState({ tree, colouring, forks }: MergedMap, state: number): string {
  const node = tree.nodes[state]
  const share = colouring.figures.get(state)
  return [
    `State ${state}: ${shortText(node?.action ?? 'the beginning', 200)}`,
    countOf(node?.visits ?? 0, 'episode'),
    share === undefined ? 'no outcome' : `${formatNumber(100 * share, 0)} % solved`,
    ...(forks.includes(state) ? ['episodes part here'] : []),
    ...(state === tree.best && state !== 0 ? ['most solved episodes end here'] : []),
  ].join(', ')
}
