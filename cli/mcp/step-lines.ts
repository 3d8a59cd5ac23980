import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { clipText } from '../../shared/core/contracts/well-formed.ts'
import { pathTo } from '../../shared/data/datasets/path-to.ts'
import { observationText } from '../../shared/play/search/conversation.ts'
import { toLine } from '../fit-text.ts'

const longestObservation = 600
const longestAction = 300

export function stepLines(tree: Tree, { last, to }: { to: number; last?: number }): string[] {
  const path = pathTo(tree, to).slice(1)
  const shown = last === undefined ? path : path.slice(-last)
  const left = path.length - shown.length
  return [
    ...(left > 0 ? [`  (${left} earlier steps)`] : []),
    ...shown.flatMap((index) => {
      const node = tree.nodes[index]
      if (node === undefined) return []
      const notes = [
        ...(node.valid === false ? ['not valid'] : []),
        ...(node.reward === 0 ? [] : [`reward ${formatNumber(node.reward)}`]),
        ...(node.done ? ['the task ended'] : []),
      ]
      return [
        `  #${index} ${clip(node.action ?? '', longestAction)}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}`,
        `     ${clip(observationText(node.observation), longestObservation)}`,
      ]
    }),
  ]
}

function clip(text: string, longest: number): string {
  const line = toLine(text)
  return line.length <= longest ? line : `${clipText(line, longest)}… (${line.length} characters)`
}
