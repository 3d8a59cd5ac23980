import type { Message } from '../contracts/message.ts'
import type { TreeNode } from '../contracts/tree.ts'
import { BadRowError } from './bad-row-error.ts'

/** One turn of a conversation as a row has it. */
export interface Turn extends Message {
  /** Its place in the row, as a path. */
  at: string
  /** Whether it is trained on; null where the row does not say. */
  learned: boolean | null
}

/** An answer of the model, and its result as far as the row says. */
export interface ReadStep {
  message: string
  /** Where the row has it apart from the answer. */
  action?: string
  observation: string | null
  reward?: number
  done?: boolean
}

/**
 * What a row holds of a trajectory: the turns of a conversation, whose head is still to be found; a head and steps; or a whole
 * tree.
 */
export type ReadBody =
  | { turns: Turn[] }
  | { head: Message[]; steps: ReadStep[] }
  | { head: Message[]; nodes: TreeNode[]; best: number }

/** A row as its format has it. What the format does not say is null. Rewards are as in the row. */
export interface ReadTrajectory {
  environment: string | null
  task: string | null
  method: string | null
  model: string | null
  reward: number | null
  /** The largest reward that the format gives in ScienceWorld, where it is not 1. */
  scienceWorldScale?: number
  /** How many turns come before the first answer that counts, where the format fixes it. */
  headLength?: number
  body: ReadBody
}

/** What is known of a row beside itself. */
export interface RowPlace {
  /** The name of the file that is this one row; null where it has several, or where that is unknown. */
  wholeFile: string | null
  /** Where all rows were played, as far as that was said. */
  environment: string | null
}

/** What a row says that says nothing but its turns. */
export const nothingSaid = { environment: null, task: null, method: null, model: null, reward: null } as const

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
