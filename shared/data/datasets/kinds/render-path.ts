import type { RowMessage } from '../../../core/contracts/dataset-row.ts'
import type { Message } from '../../../core/contracts/message.ts'
import type { Tree, TreeNode } from '../../../core/contracts/tree.ts'
import { pathTo } from '../path-to.ts'
import { type SeenPictures, seenHead, seenOf } from '../seen-pictures.ts'

export interface RenderedPath {
  head: RowMessage[]
  turns: RowMessage[]
  /** Root first; each further node is one of the model's turns. */
  node_ids: number[]
  calls: boolean
}

export type UnrenderableTurns = 'no_model_message' | 'not_text'

/**
 * The reason why a path cannot be rendered; `no_prompt`: it begins with the model, so there is no prompt to answer.
 */
export type UnrenderableReason = UnrenderableTurns | 'no_prompt'

export function renderPath(
  tree: Tree,
  end: number,
  seen: SeenPictures = null,
): RenderedPath | UnrenderableReason {
  if (tree.messages.length === 0) return 'no_prompt'
  const nodeIds = pathTo(tree, end)
  const turns = turnsOf(tree, nodeIds.slice(1), seen)
  if (typeof turns === 'string') return turns
  const head = seenHead(tree, seen)
  return head === null ? 'not_text' : { head, turns, node_ids: nodeIds, calls: tree.tools !== undefined }
}

function turnsOf(
  tree: Tree,
  nodeIds: readonly number[],
  seen: SeenPictures,
): RowMessage[] | UnrenderableTurns {
  const turns: RowMessage[] = []
  let shown: Pick<Message, 'content' | 'pictures'> | null = null
  for (const id of nodeIds) {
    const node = tree.nodes[id]
    if (node === undefined || node.message === null) return 'no_model_message'
    if (shown !== null) turns.push({ role: 'user', ...shown })
    turns.push({ role: 'assistant', content: node.message, ...answerThoughts(node) })
    shown = seenOf(node.observation, seen)
    if (shown === null && id !== nodeIds.at(-1)) return 'not_text'
  }
  return turns.length === 0 ? 'no_model_message' : turns
}

export function answerThoughts({ reasoning }: Pick<TreeNode, 'reasoning'>): Pick<RowMessage, 'reasoning'> {
  return reasoning === undefined || reasoning.trim() === '' ? {} : { reasoning }
}
