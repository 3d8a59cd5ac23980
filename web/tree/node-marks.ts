import type { TreeNode } from '../../shared/contracts/tree.ts'

/** How a node's end looks on the map; each has a shape and a word of its own. */
type NodeMark = 'done' | 'disaster' | 'invalid' | 'exhausted'

export const markWords: Record<NodeMark, string> = {
  done: 'the environment ended the task here',
  disaster: 'punished with a negative reward',
  invalid: 'the action was invalid',
  exhausted: 'nothing is left to explore below',
}

/** The one mark of a node that says most about it; null where it is a place like any other. */
export function nodeMark(
  { disaster, valid, done }: Pick<TreeNode, 'disaster' | 'valid' | 'done'>,
  isTerminal: boolean,
): NodeMark | null {
  if (disaster) return 'disaster'
  if (valid === false) return 'invalid'
  if (done) return 'done'
  return isTerminal ? 'exhausted' : null
}
