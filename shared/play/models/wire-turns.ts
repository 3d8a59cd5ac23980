import type { HttpEndpoint } from '../../core/contracts/endpoint-configuration.ts'
import type { Message } from '../../core/contracts/message.ts'

export type TurnSettings = Pick<HttpEndpoint, 'system' | 'alternate'>

const between = '\n\n'

export function toWireTurns(messages: readonly Message[], settings: TurnSettings): readonly Message[] {
  const folded = settings.system === 'user' ? foldSystem(messages) : messages
  return settings.alternate === true ? joinTurns(folded) : folded
}

function foldSystem(messages: readonly Message[]): Message[] {
  const turns: Message[] = []
  let texts: string[] = []
  for (const message of messages) {
    if (message.role === 'system') {
      texts.push(message.content)
      continue
    }
    if (texts.length > 0 && message.role === 'user') {
      turns.push({ ...message, content: [...texts, message.content].join(between) })
    } else {
      if (texts.length > 0) turns.push({ role: 'user', content: texts.join(between) })
      turns.push(message)
    }
    texts = []
  }
  return texts.length === 0 ? turns : [...turns, { role: 'user', content: texts.join(between) }]
}

function joinTurns(messages: readonly Message[]): Message[] {
  const turns: Message[] = []
  for (const message of messages) {
    const before = turns.at(-1)
    if (before?.role !== message.role) turns.push(message)
    else turns[turns.length - 1] = join(before, message)
  }
  return turns
}

function join(left: Message, right: Message): Message {
  const pictures = [...(left.pictures ?? []), ...(right.pictures ?? [])]
  return {
    role: left.role,
    content: `${left.content}${between}${right.content}`,
    ...(pictures.length > 0 && { pictures }),
  }
}
