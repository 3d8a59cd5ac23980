import { expect, test } from 'vitest'
import type { WeightedMessage } from '../../shared/core/contracts/dataset-row.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { choosePairs } from '../../shared/data/datasets/kinds/revision/choose-pairs.ts'
import { findFirstError } from '../../shared/data/datasets/kinds/revision/revision.ts'
import { renderWholePath, spliceRevision } from '../../shared/data/datasets/kinds/revision/splice-revision.ts'
import { treeEnds } from '../../shared/data/datasets/kinds/revision/tree-ends.ts'
import { pathTo } from '../../shared/data/datasets/path-to.ts'
import { describeWithConformance, readConformance } from './conformance-folder.ts'

interface ReferenceNode {
  id: number
  parent: number | null
  action: string
  llm_response: string
  obs: string
  value: number
  visits: number
  terminal: boolean
  disaster: boolean
}

interface ReferenceMessage {
  role: 'system' | 'user' | 'assistant'
  content: string
  loss?: boolean
}

interface ReferenceRow {
  revise_log: ReferenceMessage[]
  high_log: ReferenceMessage[]
  low_log: ReferenceMessage[]
}

interface ReferenceCase {
  alpha: number
  beta: number
  prefix: ReferenceMessage[]
  nodes: ReferenceNode[]
  judged_bad: string[]
  judged_uncertain_suffix: string
  expected: { revise0: ReferenceRow[]; revise1: ReferenceRow[]; good: ReferenceMessage[][] }
}

describeWithConformance(
  'agent-r/revisions.json',
  () => readConformance<ReferenceCase[]>('agent-r/revisions.json'),
  (cases) => {
    for (const [index, reference] of cases.entries()) {
      test(`tree ${index} gives the reference's rows when bad paths are left at their end`, () => {
        expect(asSet(revise(reference, () => null))).toEqual(asSet(reference.expected.revise0))
      })

      test(`tree ${index} gives the reference's rows when they are left after the first error`, () => {
        expect(asSet(revise(reference, firstErrorOf(reference)))).toEqual(asSet(reference.expected.revise1))
      })

      test(`tree ${index} gives the reference's good paths`, () => {
        expect(asSet(goodPaths(reference))).toEqual(asSet(reference.expected.good))
      })
    }
  },
)

function revise(
  reference: ReferenceCase,
  firstError: (tree: Tree, bad: number) => number | null,
): ReferenceRow[] {
  const tree = toTree(reference)
  const random = () => 0
  return [...choosePairs(endsOf(tree, reference), { beta: reference.beta, most: null }, random)].map(
    (pair) => {
      const turn = { sentence: '<REVISION>', pause_action: 'wait' }
      const { messages } = spliceRevision(tree, pair, firstError(tree, pair.bad), turn)
      return {
        revise_log: toLog(reference, messages),
        high_log: toLog(reference, renderWholePath(tree, pair.good)),
        low_log: toLog(reference, renderWholePath(tree, pair.bad)),
      }
    },
  )
}

function goodPaths(reference: ReferenceCase): ReferenceMessage[][] {
  const tree = toTree(reference)
  const { ends, good } = endsOf(tree, reference)
  return ends.slice(0, good).map(({ node }) => toLog(reference, renderWholePath(tree, node)))
}

function endsOf(tree: Tree, { alpha }: ReferenceCase) {
  return treeEnds(tree, { alpha, alpha_inclusive: false })
}

/** The recorded actor's verdicts: what it calls bad comes first. */
function firstErrorOf({ judged_bad, judged_uncertain_suffix }: ReferenceCase) {
  return (tree: Tree, bad: number) =>
    findFirstError(pathTo(tree, bad), (node) => {
      const action = tree.nodes[node]?.action ?? ''
      if (judged_bad.includes(action)) return 'bad'
      return action.endsWith(judged_uncertain_suffix) ? 'uncertain' : 'good'
    })
}

/** The reference keeps at each node the sum of what was backed up; at a leaf, that is what the environment gave. */
function toTree({ nodes, prefix }: ReferenceCase): Tree {
  return {
    schema_version: 'espalier-tree-v1',
    environment: 'reference',
    task: 'task',
    method: 'mcts',
    messages: prefix.map(({ role, content }) => ({ role, content })),
    best: 0,
    nodes: nodes.map((node, position) => {
      if (node.id !== position) throw new Error(`Node ${node.id} stands at ${position}.`)
      const isLeaf = nodes.every(({ parent }) => parent !== node.id)
      return {
        parent: node.parent,
        depth: 0,
        action: node.parent === null ? null : node.action,
        message: node.parent === null ? null : node.llm_response,
        observation: [{ type: 'text', text: node.obs }],
        reward: isLeaf ? node.value : 0,
        terminal: node.terminal,
        done: false,
        disaster: node.disaster,
        visits: node.visits,
        value: node.value / node.visits,
        prior: 1,
        state_hash: null,
      }
    }),
  }
}

/** The reference's prefix says of each of its messages that it is not learned; later only the model's turns have a word on it. */
function toLog({ prefix }: ReferenceCase, messages: readonly WeightedMessage[]): ReferenceMessage[] {
  const played = messages.slice(prefix.length)
  return [
    ...prefix,
    ...played.map(({ role, content, weight }) =>
      weight === undefined ? { role, content } : { role, content, loss: weight === 1 },
    ),
  ]
}

/** Rows as a set: in an order of their own, each once. */
function asSet(rows: readonly unknown[]): string[] {
  return [...new Set(rows.map((row) => JSON.stringify(row, keyOrder)))].toSorted()
}

const keyOrder = ['revise_log', 'high_log', 'low_log', 'role', 'content', 'loss']
