import type { TreeNode } from '../../shared/core/contracts/tree.ts'

type NodeMark = 'done' | 'disaster' | 'invalid' | 'exhausted'

export const markWords: Record<NodeMark, string> = {
  done: 'the environment ended the task here',
  disaster: 'punished with a negative reward',
  invalid: 'the action was invalid',
  exhausted: 'nothing is left to explore below',
}

export function nodeMark(
  { disaster, valid, done }: Pick<TreeNode, 'disaster' | 'valid' | 'done'>,
  isTerminal: boolean,
): NodeMark | null {
  if (disaster) return 'disaster'
  if (valid === false) return 'invalid'
  if (done) return 'done'
  return isTerminal ? 'exhausted' : null
}
