import type { Message } from '../contracts/message.ts'
import { digest } from './digest.ts'
import type { EffectRequest } from './effect-scope.ts'
import type { RequestRecord } from './journal-record.ts'

const digests = new WeakMap<Message, string>()

export function messageDigest(message: Message): string {
  let found = digests.get(message)
  if (found === undefined) {
    const { role, content, pictures } = message
    const seen = pictures === undefined ? '' : `\n${pictures.map(({ sha256 }) => sha256).join(' ')}`
    found = digest(`${role}\n${content}${seen}`)
    digests.set(message, found)
  }
  return found
}

export function toRequestRecord({ messages, settings }: EffectRequest): RequestRecord {
  const value = { ...(messages && { messages: messages.map(messageDigest) }), settings }
  return { request: digest(JSON.stringify(value)), value }
}
