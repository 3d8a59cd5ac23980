import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import {
  type MergedPaths,
  type MergedSource,
  mergeTrees,
  partingEdges,
  solvedAmong,
} from '../../../web/tree/merge-trees.ts'
import { parentsOf, smallTree } from '../../builders/trees.ts'

const path = ({ nodes }: Tree, end: number): number[] => {
  const { parent } = nodes[end] ?? { parent: null }
  return parent === null ? [end] : [...path({ nodes } as Tree, parent), end]
}

// Trees over few states, so that many nodes are equal; some have no hash. The root may differ between episodes.
const source = fc
  .tuple(
    fc.array(fc.nat(), { maxLength: 14 }),
    fc.array(fc.constantFrom('a', 'b', 'c', 'd', null), { minLength: 15, maxLength: 15 }),
    fc.array(fc.constantFrom('go', 'take', 'look'), { minLength: 15, maxLength: 15 }),
    fc.nat(),
    fc.constantFrom(true, false, null),
    fc.constantFrom('root', 'root', 'root', 'other', null),
  )
  .map(([choices, hashes, actions, best, solved, root]): MergedSource => {
    const parents = parentsOf(choices)
    const over = parents.map((parent, node) => ({
      state_hash: node === 0 ? root : (hashes[node] ?? null),
      action: parent === null ? null : (actions[node] ?? ''),
    }))
    const tree = { ...smallTree(parents, { ...over }), best: best % parents.length }
    return { run: 'run-1', episode: 'ep-0', solved, tree }
  })
const sources = fc.array(source, { minLength: 1, maxLength: 6 })
const paths = fc.constantFrom<MergedPaths>('answers', 'all')

const counted = (tree: Tree, which: MergedPaths) =>
  which === 'all' ? [...tree.nodes.keys()] : path(tree, tree.best)

test('every episode’s path is a walk along the edges that count it, from the beginning to its answer', () => {
  fc.assert(
    fc.property(sources, paths, (all, which) => {
      const { edges, states, walks } = mergeTrees(all, which)
      expect(walks).toHaveLength(all.length)
      for (const [at, walk] of walks.entries()) {
        expect(walk[0]).toBe(0)
        expect(states[walk.at(-1) ?? -1]?.ends).toContain(at)
        for (const [step, to] of walk.slice(1).entries()) {
          const edge = edges.find((each) => each.from === walk[step] && each.to === to)
          expect(edge?.sources).toContain(at)
        }
      }
    }),
  )
})

test('counts are conserved: each state and edge counts an episode once, and nothing else', () => {
  fc.assert(
    fc.property(sources, paths, (all, which) => {
      const { edges, states } = mergeTrees(all, which)
      const ends = states.flatMap((state) => state.ends).toSorted((left, right) => left - right)
      expect(ends).toEqual([...all.keys()])
      expect(states[0]?.sources).toEqual([...all.keys()])
      for (const [at, { tree }] of all.entries()) {
        const mine = counted(tree, which)
        const hashes = new Set(mine.flatMap((node) => tree.nodes[node]?.state_hash ?? []))
        const known = states.filter(({ nodes }) => nodes.has(at))
        const named = known.flatMap(({ nodes }) => tree.nodes[nodes.get(at) ?? 0]?.state_hash ?? [])
        expect(new Set(named)).toEqual(hashes)
        for (const { nodes } of known) expect(mine).toContain(nodes.get(at))
      }
      for (const { sources: taken, actions } of edges) {
        expect(new Set(taken).size).toBe(taken.length)
        const by = actions.map(([, count]) => count)
        expect(Math.max(...by)).toBeLessThanOrEqual(taken.length)
        expect(by.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(taken.length)
      }
      const reached = states.flatMap((state) => state.sources).length
      const entered = all.map(
        (_, at) => new Set(edges.flatMap((e) => (e.sources.includes(at) ? [e.to] : []))),
      )
      // An episode enters each of its states along an edge, but the first.
      expect(entered.reduce((sum, each) => sum + new Set([0, ...each]).size, 0)).toBe(reached)
    }),
  )
})

test('equal hashes join, different ones never do', () => {
  fc.assert(
    fc.property(sources, paths, (all, which) => {
      const { states } = mergeTrees(all, which)
      const hashesOf = ({ nodes }: (typeof states)[number]) =>
        new Set([...nodes].map(([at, node]) => all[at]?.tree.nodes[node]?.state_hash ?? null))
      const known = states.map(hashesOf)
      // The common beginning of episodes that begin in different states has no state of its own.
      const roots = new Set(all.map(({ tree }) => tree.nodes[0]?.state_hash))
      const own = roots.size > 1 ? known.slice(1) : known
      for (const hashes of own) expect(hashes.size).toBe(1)
      const named = own.flatMap((hashes) => [...hashes].filter((hash) => hash !== null))
      expect(new Set(named).size).toBe(named.length)
    }),
  )
})

test('each state hangs on a state before it, one step nearer to the beginning', () => {
  fc.assert(
    fc.property(sources, paths, (all, which) => {
      const { edges, states } = mergeTrees(all, which)
      for (const [at, { depth, into, out, tree }] of states.entries()) {
        for (const position of out) expect(edges[position]?.from).toBe(at)
        for (const position of into) expect(edges[position]?.to).toBe(at)
        if (at === 0) {
          expect(tree).toBeNull()
          continue
        }
        const edge = edges[tree ?? -1]
        expect(edge?.to).toBe(at)
        expect(edge?.from).toBeLessThan(at)
        expect(depth).toBe((states[edge?.from ?? 0]?.depth ?? 0) + 1)
      }
      expect(states.flatMap(({ out }) => out)).toHaveLength(edges.length)
    }),
  )
})

test('an errored episode is counted on its edges and is in no share', () => {
  fc.assert(
    fc.property(sources, (all) => {
      const { edges } = mergeTrees(all, 'all')
      for (const { sources: taken } of edges) {
        const share = solvedAmong(all, taken)
        const scored = taken.filter((at) => all[at]?.solved !== null)
        if (scored.length === 0) expect(share).toBeNull()
        else expect(share).toBe(scored.filter((at) => all[at]?.solved).length / scored.length)
      }
    }),
  )
})

const walkOf = (episode: string, solved: boolean | null, steps: [string, string | null][]): MergedSource => ({
  run: 'run-1',
  episode,
  solved,
  tree: {
    ...smallTree([null, ...steps.map((_, at) => at)], {
      0: { state_hash: 'start', action: null },
      ...Object.fromEntries(
        steps.map(([action, state_hash], at) => [at + 1, { action, state_hash }] as const),
      ),
    }),
    best: steps.length,
  },
})

test('the fork that decides is marked, with the share of each of its edges', () => {
  const all = [
    walkOf('ep-0', true, [
      ['open door', 'hall'],
      ['take key', 'key'],
    ]),
    walkOf('ep-1', true, [
      ['look', 'start'],
      ['open the door', 'hall'],
      ['take key', 'key'],
    ]),
    walkOf('ep-2', false, [
      ['open door', 'hall'],
      ['go back', 'start'],
    ]),
    walkOf('ep-3', null, [['open door', 'hall']]),
  ]
  const graph = mergeTrees(all, 'answers')
  expect(graph.states).toHaveLength(3)
  expect(graph.walks).toEqual([
    [0, 1, 2],
    [0, 0, 1, 2],
    [0, 1, 0],
    [0, 1],
  ])
  expect(partingEdges(graph, 0)).toEqual([])
  const parting = partingEdges(graph, 1)
  expect(parting.map(({ actions, sources: taken }) => [actions, solvedAmong(all, taken)])).toEqual([
    [[['take key', 2]], 1],
    [[['go back', 1]], 0],
  ])
  const opened = graph.edges.find(({ from, to }) => from === 0 && to === 1)
  expect(opened?.actions).toEqual([
    ['open door', 3],
    ['open the door', 1],
  ])
  expect(solvedAmong(all, opened?.sources ?? [])).toBe(2 / 3)
})

test('without hashes the same actions lead to the same state', () => {
  const all = [
    walkOf('ep-0', true, [
      ['open', null],
      ['take', null],
    ]),
    walkOf('ep-1', false, [
      ['open', null],
      ['leave', null],
    ]),
  ]
  const graph = mergeTrees(all, 'answers')
  expect(graph.unhashed).toBe(3)
  expect(graph.walks).toEqual([
    [0, 1, 2],
    [0, 1, 3],
  ])
})

test('a node that shares the state of an earlier one is that state again', () => {
  const [first] = [
    walkOf('ep-0', true, [
      ['open', 'hall'],
      ['undo', null],
    ]),
  ]
  const back = first?.tree.nodes[2]
  if (first === undefined || back === undefined) throw new Error('The path has three nodes.')
  back.state_of = 0
  expect(mergeTrees([first], 'answers').walks).toEqual([[0, 1, 0]])
})

test('long paths without hashes merge', () => {
  const long = walkOf(
    'ep-0',
    true,
    Array.from({ length: 5000 }, (_, at) => [`step ${at}`, null]),
  )
  expect(mergeTrees([long, long], 'all').states).toHaveLength(5001)
})
