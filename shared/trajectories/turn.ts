import type { Message } from '../contracts/message.ts'
import { BadRowError } from './bad-row-error.ts'

/** One turn of a conversation as a row has it. */
export interface Turn extends Message {
  /** Its place in the row, as a path. */
  at: string
  /** Whether it is trained on; null where the row does not say. */
  learned: boolean | null
}

const roles: Readonly<Record<string, Message['role']>> = {
  system: 'system',
  human: 'user',
  user: 'user',
  observation: 'user',
  tool: 'user',
  gpt: 'assistant',
  assistant: 'assistant',
  model: 'assistant',
  function_call: 'assistant',
}

/**
 * The role under its name here.
 *
 * @throws BadRowError for a role that no format has
 */
export function roleOf(name: string, field: string): Message['role'] {
  const role = Object.hasOwn(roles, name) ? roles[name] : undefined
  if (role !== undefined) return role
  throw new BadRowError(
    field,
    `unknown role "${name.slice(0, 60)}". Known: ${Object.keys(roles).join(', ')}.`,
  )
}
