import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import type { Observation } from '../../shared/core/contracts/message.ts'
import type { TreeNode } from '../../shared/core/contracts/tree.ts'
import { nodeAt, pathTo, type TreeIndex } from './index-tree.ts'

export interface PathTurn {
  node: number
  action: string
  said: string
  thoughts?: string
  shown: string
  pictures: string[]
  outcome: string[]
  notes: string[]
}

export function pathTurns(index: TreeIndex, node: number): PathTurn[] {
  return pathTo(index, node)
    .slice(1)
    .map((each) => toTurn(each, nodeAt(index, each)))
}

function toTurn(node: number, stored: TreeNode): PathTurn {
  const { action, message, observation, reasoning, reward, primitives, valid, done } = stored
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
    ...(reasoning && { thoughts: reasoning }),
    shown: observationText(observation),
    pictures: observation.flatMap((part) => (part.type === 'blob' ? part.sha256 : [])),
    outcome,
    notes: [...(action !== null && !said.includes(action) ? [`action: ${action}`] : []), ...outcome],
  }
}

function observationText(parts: Observation): string {
  return parts.map((part) => (part.type === 'text' ? part.text : `[${part.media_type}]`)).join('\n')
}
