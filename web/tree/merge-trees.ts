import type { Tree, TreeNode } from '../../shared/core/contracts/tree.ts'

export interface MergedSource {
  run: string
  episode: string
  // Null: it ended by an error, was cancelled, or has no outcome. It then counts in no share.
  solved: boolean | null
  tree: Tree
}

// The nodes of a tree that count: those on the path to its answer, or all.
export type MergedPaths = 'answers' | 'all'

export interface MergedState {
  // Steps from the beginning, at the least.
  depth: number
  // Positions of the sources that came here, ascending.
  sources: number[]
  // Positions of the sources whose answer is this state.
  ends: number[]
  // The first tree node of each source in this state.
  nodes: ReadonlyMap<number, number>
  // Positions in `edges` of the edges that leave, the most taken first.
  out: number[]
  into: number[]
  // The edge of the shortest way here; null at the beginning.
  tree: number | null
}

export interface MergedEdge {
  from: number
  to: number
  sources: number[]
  // The actions that led along it, with the number of sources of each, the most frequent first.
  actions: [action: string, sources: number][]
}

export interface MergedGraph {
  // The beginning is the first; each other one comes after the state from which its shortest way leads.
  states: MergedState[]
  edges: MergedEdge[]
  // The states on the path to the answer of each source.
  walks: number[][]
  // States that no hash identifies: they are equal if the same actions lead to them.
  unhashed: number
}

/**
 * Merges the trees of episodes of one task: nodes with equal `state_hash` are one state. Nodes without a hash are equal
 * if they follow the same action in the same state. Sources that begin in different states get a common beginning.
 */
export function mergeTrees(sources: readonly MergedSource[], paths: MergedPaths): MergedGraph {
  const ways = new Map<string, string>()
  const keys = sources.map(({ tree }) => keysOf(tree, ways))
  const roots = new Set(keys.map(([root]) => root ?? ''))
  const beginning = roots.size > 1 ? '' : null
  const edges = new Map<string, DraftEdge>()
  const states = new Map<string, { nodes: Map<number, number>; ends: number[] }>()
  const stateAt = (key: string) => {
    const known = states.get(key) ?? { nodes: new Map<number, number>(), ends: [] }
    states.set(key, known)
    return known
  }
  const walks: string[][] = []
  for (const [source, { tree }] of sources.entries()) {
    const keyOf = (node: number) => keys[source]?.[node] ?? ''
    const answer = pathOf(tree, tree.best)
    const reached = paths === 'all' ? [...tree.nodes.keys()] : answer
    if (beginning !== null) {
      stateAt(beginning).nodes.set(source, 0)
      addEdge(edges, { from: beginning, to: keyOf(0), action: 'begins', source })
    }
    for (const node of reached) {
      const { nodes } = stateAt(keyOf(node))
      if (!nodes.has(source)) nodes.set(source, node)
      const { action, parent } = tree.nodes[node] as TreeNode
      if (parent !== null) {
        addEdge(edges, { from: keyOf(parent), to: keyOf(node), action: action ?? '', source })
      }
    }
    stateAt(keyOf(tree.best)).ends.push(source)
    walks.push([...(beginning === null ? [] : [beginning]), ...answer.map(keyOf)])
  }
  const ordered = orderStates(beginning ?? [...roots][0] ?? '', edges)
  const place = new Map(ordered.map(({ key }, at) => [key, at]))
  const at = (key: string) => place.get(key) ?? 0
  const listed = [...edges.values()].toSorted((left, right) => right.sources.size - left.sources.size)
  const edgeAt = new Map(listed.map((edge, position) => [edge, position]))
  const leaving = positionsBy(listed, 'from')
  const coming = positionsBy(listed, 'to')
  return {
    states: ordered.map(({ key, depth, tree }): MergedState => {
      const { ends, nodes } = stateAt(key)
      return {
        depth,
        sources: [...nodes.keys()],
        ends,
        nodes,
        out: leaving.get(key) ?? [],
        into: coming.get(key) ?? [],
        tree: tree === null ? null : (edgeAt.get(tree) ?? null),
      }
    }),
    edges: listed.map(({ from, to, actions, sources: taken }) => ({
      from: at(from),
      to: at(to),
      sources: [...taken],
      actions: [...actions]
        .map(([action, by]): [string, number] => [action, by.size])
        .toSorted(([, left], [, right]) => right - left),
    })),
    walks: walks.map((walk) => walk.map(at)),
    unhashed: [...states.keys()].filter((key) => key.startsWith(unhashed)).length,
  }
}

interface DraftEdge {
  from: string
  to: string
  sources: Set<number>
  actions: Map<string, Set<number>>
}

const unhashed = 'way '

function positionsBy(edges: readonly DraftEdge[], side: 'from' | 'to'): Map<string, number[]> {
  const positions = new Map<string, number[]>()
  for (const [position, edge] of edges.entries()) {
    const known = positions.get(edge[side]) ?? []
    known.push(position)
    positions.set(edge[side], known)
  }
  return positions
}

function keysOf({ nodes }: Tree, ways: Map<string, string>): string[] {
  const nameOf = (before: string, action: string) => {
    const way = JSON.stringify([before, action])
    const name = ways.get(way) ?? `${unhashed}${ways.size}`
    ways.set(way, name)
    return name
  }
  const keys: string[] = []
  for (const { action, parent, state_hash, state_of } of nodes) {
    const shared = state_of === undefined ? undefined : keys[state_of]
    const before = parent === null ? '' : (keys[parent] ?? '')
    keys.push(shared ?? (state_hash === null ? nameOf(before, action ?? '') : `hash ${state_hash}`))
  }
  return keys
}

function pathOf({ nodes }: Tree, end: number): number[] {
  const path: number[] = []
  for (let at: number | null | undefined = end; at != null; at = nodes[at]?.parent) path.push(at)
  return path.reverse()
}

function addEdge(
  edges: Map<string, DraftEdge>,
  { from, to, action, source }: { from: string; to: string; action: string; source: number },
): void {
  const key = JSON.stringify([from, to])
  const edge = edges.get(key) ?? { from, to, sources: new Set(), actions: new Map() }
  edges.set(key, edge)
  edge.sources.add(source)
  const by = edge.actions.get(action) ?? new Set()
  edge.actions.set(action, by.add(source))
}

interface OrderedState {
  key: string
  depth: number
  tree: DraftEdge | null
}

// Breadth first, so that each state hangs on its shortest way, and among those on the most taken.
function orderStates(root: string, edges: ReadonlyMap<string, DraftEdge>): OrderedState[] {
  const leaving = new Map<string, DraftEdge[]>()
  for (const edge of edges.values()) {
    const known = leaving.get(edge.from) ?? []
    known.push(edge)
    leaving.set(edge.from, known)
  }
  const seen = new Set([root])
  const ordered: OrderedState[] = [{ key: root, depth: 0, tree: null }]
  for (const { key, depth } of ordered) {
    const next = (leaving.get(key) ?? []).toSorted((left, right) => right.sources.size - left.sources.size)
    for (const edge of next) {
      if (seen.has(edge.to)) continue
      seen.add(edge.to)
      ordered.push({ key: edge.to, depth: depth + 1, tree: edge })
    }
  }
  return ordered
}

// The share of the sources with an outcome that solved the task; null if none of them has one.
export function solvedAmong(all: readonly MergedSource[], positions: readonly number[]): number | null {
  const scored = positions.filter((at) => all[at]?.solved != null)
  if (scored.length === 0) return null
  return scored.filter((at) => all[at]?.solved === true).length / scored.length
}

// The edges along which the sources part at a state; fewer than two if they do not.
export function partingEdges({ edges, states }: MergedGraph, state: number): MergedEdge[] {
  const leaving = (states[state]?.out ?? []).flatMap((at) => edges[at] ?? [])
  const elsewhere = leaving.filter(({ to }) => to !== state)
  return elsewhere.length < 2 ? [] : elsewhere
}
