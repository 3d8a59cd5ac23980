import type { DatasetKindId, LineageRow, Origin } from '../../../shared/core/contracts/dataset.ts'
import type { ShownPart } from '../../../shared/core/contracts/shown-row.ts'

export interface TurnNode {
  origin: Origin
  node: number
}

const unmapped: readonly DatasetKindId[] = ['revision', 'prompts', 'rollouts', 'rollout-trees']

/**
 * Maps every turn of each part to its node, or to null if it has none or the node is unknown.
 *
 * In lineage, the first node is the root. The others are the model's answers in order, so a row's last answers are
 * the played ones. Revisions splice two paths, and rollouts may hold a part of
 * one, so their nodes do not map to single turns.
 */
export function nodesOfTurns(parts: readonly ShownPart[], lineage: LineageRow): (TurnNode | null)[][] {
  const { kind, origin, other } = lineage
  if (unmapped.includes(kind)) return parts.map(({ turns }) => turns.map(() => null))
  // A linearized search names the node of each of its turns, and no root.
  const answered = (path: Origin) => (kind === 'exploration' ? path.node_ids : path.node_ids.slice(1))
  const prompt = parts.find(({ name }) => name === 'prompt')
  return parts.map((part) => {
    const path = part.name === 'rejected' ? other : origin
    if (path === null) return part.turns.map(() => null)
    // Answers within a prompt belong to the path of the side that continues it: in a pair, the chosen side.
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
