import type { SearchNode, SearchTree } from '../../play/search/tree.ts'
import type { CommittedCall } from './read-calls.ts'

export interface CallPlace {
  node: number
  kind: 'expansion' | 'judgement' | 'other'
}

const ofNode = /^node\/(\d+)\/(value\/)?/
const aboutNode = /^(?:recall\/[^/]+|(?:remember\/)?reflect\/[^/]+)\/(\d+)(?:\/|$)/
const aboutAttempt = /^(?:remember\/)?note\/(\d+)(?:\/|$)/

/**
 * Locates a call by its key. Every call belongs to one node: those that name none, such as the programs that LearnAct
 * writes or the checks of a judge, are about the whole task and belong to the root.
 */
export function placeOf({ key, asked }: Pick<CommittedCall, 'key' | 'asked'>, tree: SearchTree): CallPlace {
  const [, own, value] = ofNode.exec(key) ?? []
  if (own !== undefined && isNode(tree, own)) {
    const kind = value !== undefined ? 'judgement' : asked === 'policy' ? 'expansion' : 'other'
    return { node: Number(own), kind }
  }
  const about = aboutNode.exec(key)?.[1]
  if (about !== undefined && isNode(tree, about)) return { node: Number(about), kind: 'other' }
  const attempt = aboutAttempt.exec(key)?.[1]
  if (attempt !== undefined) return { node: endOfAttempt(tree, Number(attempt)), kind: 'other' }
  return { node: 0, kind: asked === 'policy' ? 'expansion' : 'other' }
}

function isNode(tree: SearchTree, index: string): boolean {
  return Number(index) < tree.nodes.length
}

function endOfAttempt(tree: SearchTree, attempt: number): number {
  const isOf = ({ effect }: SearchNode, end: SearchNode): boolean =>
    effect === `node/${end.index}/sample/${attempt}` ||
    (effect ?? '').startsWith(`${tree.node(end.answer_of ?? end.index).effect}/call/`)
  let end = tree.root
  for (
    let next: SearchNode | undefined = end;
    next;
    next = tree.children(end).find((child) => isOf(child, end))
  ) {
    end = next
  }
  return end.index
}
