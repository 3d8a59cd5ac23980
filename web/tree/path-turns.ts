import { formatNumber } from '../../shared/client/format-quantity.ts'
import type { Observation } from '../../shared/contracts/message.ts'
import type { TreeNode } from '../../shared/contracts/tree.ts'
import { nodeAt, pathTo, type TreeIndex } from './index-tree.ts'

/** What was said and shown at one node of a path. */
export interface PathTurn {
  node: number
  action: string
  /** What the model wrote; the action alone where it wrote nothing else. */
  said: string
  /** What the environment answered. */
  shown: string
  /** The digests of its pictures. */
  pictures: string[]
  /** Reward, and what was odd, in words. */
  outcome: string[]
  /** The outcome, behind the action where the model did not write it so. */
  notes: string[]
}

/** The turns from the root to a node. The root has none of its own: its observation comes before the first turn. */
export function pathTurns(index: TreeIndex, node: number): PathTurn[] {
  return pathTo(index, node)
    .slice(1)
    .map((each) => toTurn(each, nodeAt(index, each)))
}

function toTurn(node: number, stored: TreeNode): PathTurn {
  const { action, message, observation, reward, primitives, valid, done } = stored
  const outcome = [
    ...(reward === 0 ? [] : [`reward ${formatNumber(reward)}`]),
    ...(primitives === undefined ? [] : [`${primitives.length} environment steps`]),
    ...(valid === false ? ['invalid'] : []),
    ...(done ? ['task ended'] : []),
  ]
  const said = message === null || message === '' ? (action ?? '') : message
  return {
    node,
    action: action ?? '',
    said,
    shown: observationText(observation),
    pictures: observation.flatMap((part) => (part.type === 'blob' ? part.sha256 : [])),
    outcome,
    notes: [...(action !== null && !said.includes(action) ? [`action: ${action}`] : []), ...outcome],
  }
}

/** The texts of an observation; pictures are named, and shown at their node. */
function observationText(parts: Observation): string {
  return parts.map((part) => (part.type === 'text' ? part.text : `[${part.media_type}]`)).join('\n')
}
