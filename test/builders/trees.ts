import type { Message } from '../../shared/core/contracts/message.ts'
import type { Tree, TreeNode } from '../../shared/core/contracts/tree.ts'

/** The messages before the first action: instructions, an agreement and a first observation. */
export const head: Message[] = [
  { role: 'system', content: 'You craft items.' },
  { role: 'user', content: 'Goal: a stick.' },
  { role: 'assistant', content: 'OK' },
  { role: 'user', content: 'You see a log.' },
]

export const says = (content: string): Message => ({ role: 'assistant', content })
export const sees = (content: string): Message => ({ role: 'user', content })

/** A node after an action; what is not given is what most tests do not look at. Without visits it has no value. */
export function treeNode(parent: number | null, name: string, rest: Partial<TreeNode> = {}): TreeNode {
  return {
    parent,
    depth: 0,
    action: parent === null ? null : name,
    message: parent === null ? null : `do ${name}`,
    observation: [{ type: 'text', text: `saw ${name}` }],
    reward: 0,
    terminal: false,
    done: false,
    disaster: false,
    visits: 0,
    value: 0,
    prior: 1,
    state_hash: null,
    ...rest,
  }
}

/** A node that was visited, with what came back through it on average. */
export const valuedNode = (parent: number, name: string, value: number, rest: Partial<TreeNode> = {}) =>
  treeNode(parent, name, { visits: 1, value, ...rest })

export const rootNode = treeNode(null, 'root', { visits: 1 })

/** An observation that is a picture. */
export const picture = [{ type: 'blob' as const, sha256: 'f'.repeat(64), media_type: 'image/png' }]

/** A tree of nodes, played by MCTS at the task `stick` unless said otherwise. */
export function treeOf(best: number, nodes: TreeNode[], rest: Partial<Tree> = {}): Tree {
  return {
    schema_version: 'espalier-tree-v1',
    environment: 'textcraft',
    task: 'stick',
    method: 'mcts',
    messages: head,
    best,
    nodes,
    ...rest,
  }
}

/** A path of the named actions, at whose end the reward stands. */
export function pathOf(actions: readonly string[], reward = 1, messages: Message[] = head): Tree {
  const nodes = [
    rootNode,
    ...actions.map((action, place) =>
      valuedNode(place, action, reward, place === actions.length - 1 ? { reward, done: true } : {}),
    ),
  ]
  return treeOf(nodes.length - 1, nodes, { messages })
}

/** A tree whose answer is a path of so many actions, with a dead end beside its first. */
export function forkedPath(task: string, length: number): Tree {
  const step = (parent: number, name: string) =>
    treeNode(parent, name, { message: `Action: ${name}`, prior: 0 })
  const nodes = [treeNode(null, 'root', { prior: 0 }), step(0, `${task} dead end`)]
  for (let depth = 1; depth <= length; depth += 1) {
    nodes.push(step(depth === 1 ? 0 : nodes.length - 1, `${task} step ${depth}`))
  }
  return treeOf(length === 0 ? 0 : nodes.length - 1, nodes, { task })
}

/**
 * A tree with a node for each entry of the list.
 *
 * @example
 * smallTree([null, 0, 0, 1]) // a root with two children, the first of which has one
 */
export function smallTree(parents: (number | null)[], over: Record<number, Partial<TreeNode>> = {}): Tree {
  const nodes: TreeNode[] = []
  for (const [index, parent] of parents.entries()) {
    nodes.push(
      treeNode(parent, `action ${index}`, {
        depth: parent === null ? 0 : (nodes[parent]?.depth ?? 0) + 1,
        message: parent === null ? null : `message ${index}`,
        observation: [{ type: 'text', text: `observation ${index}` }],
        visits: 1,
        ...over[index],
      }),
    )
  }
  return treeOf(0, nodes, { environment: 'e', task: 't', method: 'm', messages: [] })
}

/** Parents of a random tree, for property tests: each number chooses among the nodes before it. */
export function parentsOf(choices: readonly number[]): (number | null)[] {
  return [null, ...choices.map((choice, index) => choice % (index + 1))]
}
