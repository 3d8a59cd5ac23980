import { z } from 'zod'
import type { TreeNode } from '../../core/contracts/tree.ts'
import { readAnswerAction } from './answer-action.ts'
import { BadRowError, checkShape } from './bad-row-error.ts'
import { rawTurnsSchema, toTurns } from './chat-messages.ts'
import { nothingSaid, type ReadTrajectory, type RowPlace, toHeadMessage } from './read-trajectory.ts'
import { scoreScales } from './task-name.ts'

const nodeSchema = z.looseObject({
  visits: z.int().nonnegative(),
  value: z.number(),
  prior: z.number().nullish(),
  obs: z.string().nullish(),
  llm_response: z.string().nullish(),
  depth: z.int().nonnegative().nullish(),
  is_terminal: z.boolean(),
  action: z.string().nullish(),
  env_score: z.number().nullish(),
  disaster: z.boolean().nullish(),
  children: z.array(z.unknown()).nullish(),
})

type Node = z.infer<typeof nodeSchema>

const rootSchema = nodeSchema.extend({
  state: rawTurnsSchema,
  task_num: z.union([z.string(), z.number()]).optional(),
})

/**
 * A search tree: nested nodes whose `value` is the sum of the backed-up values, and whose `state` repeats the
 * conversation so far. The root's state is the head. Returns the nodes in preorder.
 */
export function readAgentRTree(row: Record<string, unknown>, { wholeFile }: RowPlace): ReadTrajectory {
  const root = checkShape(rootSchema, row)
  const head = toTurns(root.state, 'state').map(toHeadMessage)
  const nodes = toNodes(root, head.at(-1)?.content ?? '')
  const best = nodes.reduce((found, node, index) => (isBetter(node, nodes[found]) ? index : found), 0)
  return {
    ...nothingSaid,
    task: root.task_num === undefined ? numberOf(wholeFile) : String(root.task_num),
    method: 'mcts',
    reward: nodes[best]?.reward ?? 0,
    scales: scoreScales,
    body: { head, nodes, best },
  }
}

function numberOf(file: string | null): string | null {
  return /_(\d+)\.json$/.exec(file ?? '')?.[1] ?? null
}

function toNodes(root: Node, shown: string): TreeNode[] {
  const nodes = [toNode(root, { parent: null, depth: 0, shown })]
  // A work list in place of recursion: files nest to any depth.
  const waiting = childrenOf(root, 0, 'children')
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const node = readNode(next.row, next.at)
    const depth = (nodes[next.parent]?.depth ?? 0) + 1
    if (!node.llm_response)
      throw new BadRowError(`${next.at}.llm_response`, 'is missing: a node needs the answer that led to it')
    const index = nodes.push(toNode(node, { parent: next.parent, depth, shown: node.obs ?? '' })) - 1
    waiting.push(...childrenOf(node, index, `${next.at}.children`))
  }
  return nodes
}

function childrenOf(node: Node, parent: number, at: string) {
  return (node.children ?? []).map((row, index) => ({ row, parent, at: `${at}[${index}]` })).reverse()
}

function readNode(row: unknown, at: string): Node {
  try {
    return checkShape(nodeSchema, row)
  } catch (error) {
    if (!(error instanceof BadRowError)) throw error
    throw new BadRowError(error.field === null ? at : `${at}.${error.field}`, error.message)
  }
}

function toNode(
  node: Node,
  { parent, depth, shown }: { parent: number | null; depth: number; shown: string },
): TreeNode {
  const { visits, value, prior, llm_response, action, is_terminal, env_score, disaster } = node
  const isLeaf = (node.children ?? []).length === 0
  const message = parent === null ? null : (llm_response ?? null)
  return {
    parent,
    depth,
    action: message === null ? null : action || readAnswerAction(message),
    message,
    observation: [{ type: 'text', text: shown }],
    reward: parent === null ? 0 : (env_score ?? 0),
    terminal: is_terminal,
    done: is_terminal && isLeaf,
    disaster: disaster ?? false,
    visits,
    value: visits === 0 ? 0 : value / visits,
    prior: prior ?? 1,
    state_hash: null,
  }
}

/** As in our searches: the first of highest reward, ends before others. */
function isBetter(node: TreeNode, other: TreeNode | undefined): boolean {
  if (other === undefined) return true
  return node.reward > other.reward || (node.reward === other.reward && node.terminal && !other.terminal)
}
