import type { Message, Observation } from '../../contracts/message.ts'
import type { Tree, TreeNode } from '../../contracts/tree.ts'

/** A conversation to imitate, and the nodes it was read from, root first. */
export interface SftRow {
  messages: Message[]
  node_ids: number[]
}

/** Why a tree gives no row although its episode was chosen. */
export type NoSftRow = 'no_model_message' | 'not_text'

/**
 * The path from the root to the tree's answer as a conversation: what stood before the first action in every prompt,
 * then each model answer and what the environment showed. It ends on the last answer, since what came after it was
 * never answered. Texts are kept as played, also where two messages of one role follow each other.
 *
 * A path without an action, or with an action that no model wrote, teaches nothing a model said: `no_model_message`.
 * Chat rows hold text alone, so a picture on the path makes it `not_text`.
 */
export function sftRow(tree: Tree): SftRow | NoSftRow {
  const nodeIds = pathTo(tree, tree.best)
  const nodes = nodeIds.slice(1).flatMap((position) => tree.nodes[position] ?? [])
  if (nodes.length === 0) return 'no_model_message'
  const messages: Message[] = tree.messages.map(({ role, content }) => ({ role, content }))
  let shown: TreeNode | null = null
  for (const node of nodes) {
    if (shown !== null) {
      const content = textOf(shown.observation)
      if (content === null) return 'not_text'
      messages.push({ role: 'user', content })
    }
    if (node.message === null) return 'no_model_message'
    messages.push({ role: 'assistant', content: node.message })
    shown = node
  }
  return { messages, node_ids: nodeIds }
}

/** Positions from the root down to the node. Parents stand before their children, so the walk ends. */
function pathTo(tree: Tree, position: number): number[] {
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

function textOf(observation: Observation): string | null {
  const texts: string[] = []
  for (const part of observation) {
    if (part.type !== 'text') return null
    texts.push(part.text)
  }
  return texts.join('\n')
}
