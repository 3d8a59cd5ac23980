import type { PromptMessage } from '../contracts/message.ts'
import { digest } from './digest.ts'
import type { EffectRequest } from './effect-scope.ts'
import type { RequestRecord } from './journal-record.ts'

const digests = new WeakMap<PromptMessage, string>()

export function messageDigest(message: PromptMessage): string {
  let found = digests.get(message)
  if (found === undefined) {
    const { role, content, pictures, ...calls } = message
    const seen = pictures === undefined ? '' : `\n${pictures.map(({ sha256 }) => sha256).join(' ')}`
    const called = Object.keys(calls).length === 0 ? '' : `\n${JSON.stringify(calls)}`
    found = digest(`${role}\n${content}${seen}${called}`)
    digests.set(message, found)
  }
  return found
}

export function toRequestRecord({ messages, settings }: EffectRequest): RequestRecord {
  const value = { ...(messages && { messages: messages.map(messageDigest) }), settings }
  return { request: digest(JSON.stringify(value)), value }
}
