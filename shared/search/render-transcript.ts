import type { Observation } from '../contracts/message.ts'
import type { SearchNode } from './search-tree.ts'

/** The text of an observation; pictures by their digest. */
export function observationText(observation: Observation): string {
  return observation
    .map((part) => (part.type === 'text' ? part.text : `[${part.media_type} ${part.sha256}]`))
    .join('\n')
}

/**
 * A path as text, one block for each side: for judges and other readers of what an agent did.
 *
 * @param path - from the node whose observation comes first
 * @param leftOut - how many of its turns are not shown, counted from the first
 */
export function renderTranscript(path: readonly SearchNode[], leftOut = 0): string {
  const [start, ...turns] = path
  const shown = turns.slice(leftOut).map((node, index) => {
    const number = index + leftOut + 1
    return `--- Agent, turn ${number}\n${node.message ?? ''}\n--- Environment, turn ${number}\n${observationText(node.observation)}`
  })
  const gap = leftOut === 0 ? [] : [`--- ${leftOut} turns are left out here`]
  return [`--- Environment, start\n${observationText(start?.observation ?? [])}`, ...gap, ...shown].join('\n')
}
