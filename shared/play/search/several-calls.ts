import type { SearchNode } from './tree.ts'

/** The effect of a call behind the first one of an answer, counted from 1. */
export function laterCall(effect: string, place: number): string {
  return `${effect}/call/${place}`
}

/** True for the effect of a {@link laterCall}, for which no model is asked. */
export function isLaterCall(effect: string): boolean {
  return /\/call\/\d+$/.test(effect)
}

/** The nodes of a path by the answers that made them, one or several calls each. */
export function groupByAnswer<Node extends Pick<SearchNode, 'effect'>>(path: readonly Node[]): Node[][] {
  const answers: Node[][] = []
  for (const node of path) {
    const answer = answers.at(-1)
    const first = answer?.[0]?.effect
    if (answer && first && node.effect === laterCall(first, answer.length)) answer.push(node)
    else answers.push([node])
  }
  return answers
}
