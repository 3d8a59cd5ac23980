import type { Message } from '../contracts/message.ts'
import type { Tree, TreeNode } from '../contracts/tree.ts'

/** One turn of a conversation as a row has it. */
export interface Turn extends Message {
  /** Its place in the row, as a path. */
  at: string
  /** Whether it is trained on; null where the row does not say. */
  learned: boolean | null
  /** The calls of tools in an answer, one a line; absent: the action is read from the text. */
  action?: string
  /** What the model thought apart from the text of its answer. */
  reasoning?: string
  /** Whether it is the result of a tool, which may be empty. */
  isResult?: boolean
}

/** A message before the first action. */
export type HeadMessage = Tree['messages'][number]

/** Without its action, which was played for show alone. */
export function toHeadMessage({ role, content, reasoning }: Turn): HeadMessage {
  return { role, content, ...(reasoning !== undefined && { reasoning }) }
}

/** An answer of the model, and its result as far as the row says. */
export interface ReadStep {
  message: string
  /** Where the row has it apart from the answer. */
  action?: string
  /** What the model thought apart from the answer. */
  reasoning?: string
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
  | { head: HeadMessage[]; steps: ReadStep[] }
  | { head: HeadMessage[]; nodes: TreeNode[]; best: number }

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
