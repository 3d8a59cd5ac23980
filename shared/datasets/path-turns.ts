import type { Message } from '../contracts/message.ts'
import type { Tree } from '../contracts/tree.ts'
import { textOf } from './text-of.ts'

/** Why a path cannot be told as a conversation. */
export type NoTurns = 'no_model_message' | 'not_text'

/**
 * A path of nodes, the root left out, as the turns after the tree's head: each model answer, and between two of them what the
 * environment showed. It ends on the last answer, since what came after it was never answered. Texts are kept as played.
 */
export function pathTurns(tree: Tree, nodeIds: readonly number[]): Message[] | NoTurns {
  const turns: Message[] = []
  let shown: string | null = null
  for (const id of nodeIds) {
    const node = tree.nodes[id]
    if (node === undefined || node.message === null) return 'no_model_message'
    if (shown !== null) turns.push({ role: 'user', content: shown })
    turns.push({ role: 'assistant', content: node.message })
    shown = textOf(node.observation)
    if (shown === null && id !== nodeIds.at(-1)) return 'not_text'
  }
  return turns.length === 0 ? 'no_model_message' : turns
}
