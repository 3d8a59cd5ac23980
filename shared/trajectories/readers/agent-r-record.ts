import { z } from 'zod'
import { checkShape } from '../bad-row-error.ts'
import { nothingSaid, type ReadTrajectory } from '../trajectory-reader.ts'
import { messagesSchema, toTurns } from './messages.ts'

const rowSchema = z.looseObject({
  task_num: z.union([z.string(), z.number()]).nullish(),
  revise_log: messagesSchema,
})

/** A record `{task_num, revise_log}`: a good trajectory, or one that was spliced, read as a conversation. */
export function readAgentRRecord(row: Record<string, unknown>): ReadTrajectory {
  const { task_num = null, revise_log } = checkShape(rowSchema, row)
  return {
    ...nothingSaid,
    task: task_num === null ? null : String(task_num),
    body: { turns: toTurns(revise_log, 'revise_log') },
  }
}
