import type { Message, Observation } from '../../core/contracts/message.ts'
import type { Tree } from '../../core/contracts/tree.ts'
import type { SearchNode } from './tree.ts'

const agreement = 'OK'

export type LaidOut = Pick<Tree, 'layout' | 'environment'>

/**
 * The messages before the first action in every prompt.
 *
 * @param example turns in ETO's layout; null: rules and example are a system text
 * @param shots few-shot turns behind a system text, which ends with their note
 * @see Song et al. 2024, ETO (arXiv 2403.02502), eval_agent/prompt: instruction, `OK`, one example as turns, the task
 */
export function layOutHead(
  instruction: string,
  example: readonly Message[] | null,
  first: Pick<Message, 'content' | 'pictures'>,
  shots?: { note: string; turns: readonly Message[] },
): Message[] {
  const task: Message = { role: 'user', ...first }
  if (example === null) {
    if (shots === undefined) return [{ role: 'system', content: instruction }, task]
    return [{ role: 'system', content: `${instruction}\n\n${shots.note}` }, ...shots.turns, task]
  }
  return [{ role: 'user', content: instruction }, { role: 'assistant', content: agreement }, ...example, task]
}

export function contentOf(observation: Observation): Pick<Message, 'content' | 'pictures'> {
  const texts = observation.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const pictures = observation.filter((part) => part.type === 'blob')
  return { content: texts.join('\n'), ...(pictures.length > 0 && { pictures }) }
}

/** An observation as a user turn. In WebShop, ETO's mark stands on its own line. */
export function observationTurn({ layout, environment }: LaidOut, text: string): string {
  if (layout !== 'eto') return text
  return `Observation:${environment === 'webshop' ? '\n' : ' '}${text}`
}

/**
 * Converts a tree to the conversation for datasets. With ETO's layout the example is left out, because ETO's experts
 * have none, and every observation gets its mark. Any other tree stays unchanged.
 */
export function toConversation(tree: Tree): Tree {
  if (tree.layout !== 'eto') return tree
  const [instruction, answer, ...rest] = tree.messages
  const task = rest.at(-1)
  const head = [instruction, answer, task].filter((message) => message !== undefined)
  const nodes = tree.nodes.map((node) => {
    const [first, ...others] = node.observation
    if (node.parent === null || first?.type !== 'text') return node
    const text = observationTurn(tree, first.text)
    return { ...node, observation: [{ ...first, text }, ...others] }
  })
  return { ...tree, messages: head, nodes }
}

export function observationText(observation: Observation): string {
  return observation.map((part) => (part.type === 'text' ? part.text : '[picture]')).join('\n')
}

/**
 * Renders a path as text, one block for each side, for judges and other readers.
 *
 * @param path - from the node whose observation comes first
 * @param leftOut - number of turns to leave out, from the first
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
