import type { Message } from '../../contracts/message.ts'
import type { Tree } from '../../contracts/tree.ts'
import { pathTo } from '../path-to.ts'
import { type NoTurns, pathTurns } from '../path-turns.ts'

/** A path as a conversation: what stood before the first action in every prompt, and the turns that were played. */
export interface ToldPath {
  head: Message[]
  /** Begins and ends with the model. */
  turns: Message[]
  /** Root first; each further node is one of the model's turns. */
  node_ids: number[]
}

/** Why a path cannot be told; `no_prompt`: the model spoke first, so there is nothing to answer to. */
export type NoPath = NoTurns | 'no_prompt'

/** The path from the root to a node. Texts are kept as played. */
export function tellPath(tree: Tree, end: number): ToldPath | NoPath {
  if (tree.messages.length === 0) return 'no_prompt'
  const nodeIds = pathTo(tree, end)
  const turns = pathTurns(tree, nodeIds.slice(1))
  if (typeof turns === 'string') return turns
  const head = tree.messages.map(({ role, content }) => ({ role, content }))
  return { head, turns, node_ids: nodeIds }
}
