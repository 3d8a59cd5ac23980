import type { Message } from '../../core/contracts/message.ts'
import type { Tree, TreeNode } from '../../core/contracts/tree.ts'

export interface Turn extends Message {
  at: string
  /** True if it is trained on; null if the row does not say. */
  learned: boolean | null
  /** The tool calls of an answer, one a line; absent: the action is read from the text. */
  action?: string
  reasoning?: string
  isResult?: boolean
}

export type HeadMessage = Tree['messages'][number]

export function toHeadMessage({ role, content, reasoning }: Turn): HeadMessage {
  return { role, content, ...(reasoning !== undefined && { reasoning }) }
}

export interface ReadStep {
  message: string
  action?: string
  reasoning?: string
  observation: string | null
  reward?: number
  done?: boolean
}

export type ReadBody =
  | { turns: Turn[] }
  | { head: HeadMessage[]; steps: ReadStep[] }
  | { head: HeadMessage[]; nodes: TreeNode[]; best: number }
  | { prompt: Turn[]; chosen: Turn[]; rejected: Turn[] }

// The method of imported pairs: a tree with the chosen path, its best, and the rejected one.
export const pairMethod = 'imported-pair'

/** A row as its format has it. Fields that the format does not state are null. Rewards are unscaled. */
export interface ReadTrajectory {
  environment: string | null
  task: string | null
  method: string | null
  model: string | null
  reward: number | null
  /** The largest rewards of the format by environment, if they are not 1. */
  scales?: ReadonlyMap<string, number>
  /** Number of turns before the first answer that counts, if the format fixes it. */
  headLength?: number
  body: ReadBody
}

export interface RowPlace {
  /** The name of the file, if it holds only this row; null if it has several, or if that is unknown. */
  wholeFile: string | null
  environment: string | null
}

export const nothingSaid = { environment: null, task: null, method: null, model: null, reward: null } as const
