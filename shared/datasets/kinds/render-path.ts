import type { Message } from '../../contracts/message.ts'
import type { Tree } from '../../contracts/tree.ts'
import { pathTo } from '../path-to.ts'
import { textOf } from '../text-of.ts'

/** A path as a conversation: the messages before the first action, and the turns that were played. */
export interface RenderedPath {
  head: Message[]
  /** Begins and ends with the model. */
  turns: Message[]
  /** Root first; each further node is one of the model's turns. */
  node_ids: number[]
}

/** Why the turns of a path cannot be rendered as a conversation. */
export type UnrenderableTurns = 'no_model_message' | 'not_text'

/** Why a path cannot be rendered; `no_prompt`: it begins with the model, so there is no prompt to answer. */
export type UnrenderableReason = UnrenderableTurns | 'no_prompt'

/** The path from the root to a node. Texts are kept as played. */
export function renderPath(tree: Tree, end: number): RenderedPath | UnrenderableReason {
  if (tree.messages.length === 0) return 'no_prompt'
  const nodeIds = pathTo(tree, end)
  const turns = turnsOf(tree, nodeIds.slice(1))
  if (typeof turns === 'string') return turns
  const head = tree.messages.map(({ role, content }) => ({ role, content }))
  return { head, turns, node_ids: nodeIds }
}

/** Each model answer, and between two of them the observation. The observation after the last answer is left out. */
function turnsOf(tree: Tree, nodeIds: readonly number[]): Message[] | UnrenderableTurns {
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
