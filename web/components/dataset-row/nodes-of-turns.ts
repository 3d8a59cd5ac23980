import type { LineageRow, Origin } from '../../../shared/contracts/dataset.ts'
import type { ShownPart } from '../../../shared/contracts/shown-row.ts'

/** Where a turn was said. */
export interface TurnNode {
  origin: Origin
  node: number
}

/**
 * The node of every turn, part by part; null for turns without a node, or whose node is unknown. In lineage each
 * node but the first, which is the root, is one of the model's answers in their order, so that the last answers of a row are
 * those that were played. Revisions are spliced of two paths, and their nodes are not those of single turns.
 */
export function nodesOfTurns(parts: readonly ShownPart[], lineage: LineageRow): (TurnNode | null)[][] {
  const { kind, origin, other } = lineage
  if (kind === 'revision' || kind === 'prompts') return parts.map(({ turns }) => turns.map(() => null))
  // A linearized search names the node of each of its turns, and no root.
  const answered = (path: Origin) => (kind === 'exploration' ? path.node_ids : path.node_ids.slice(1))
  const prompt = parts.find(({ name }) => name === 'prompt')
  return parts.map((part) => {
    const path = part.name === 'rejected' ? other : origin
    if (path === null) return part.turns.map(() => null)
    // The answers within a prompt belong to the path of the side that goes on from it: of a pair, to the chosen one's.
    const rest = part === prompt ? parts.find(({ name }) => name !== 'prompt' && name !== 'rejected') : null
    const before = part === prompt || prompt === undefined ? 0 : countAnswers(prompt)
    const nodes = answered(path)
    const all = before + countAnswers(part) + (rest ? countAnswers(rest) : 0)
    let answer = before - (all - nodes.length)
    return part.turns.map(({ role }) => {
      if (role !== 'assistant') return null
      const node = answer >= 0 ? nodes[answer] : undefined
      answer += 1
      return node === undefined ? null : { origin: path, node }
    })
  })
}

function countAnswers({ turns }: ShownPart): number {
  return turns.filter(({ role }) => role === 'assistant').length
}
