import { z } from 'zod'
import { checkShape } from '../bad-row-error.ts'
import { nothingSaid, type ReadTrajectory, type TrajectoryReader } from '../trajectory-reader.ts'
import { readAgentRTree } from './agent-r-tree.ts'
import { messagesSchema, toTurns } from './messages.ts'

const rowSchema = z.looseObject({
  task_num: z.union([z.string(), z.number()]).nullish(),
  revise_log: messagesSchema,
})

/** A record `{task_num, revise_log}`: a good trajectory, or one that was spliced, read as a conversation. */
function readAgentRRecord(row: Record<string, unknown>): ReadTrajectory {
  const { task_num = null, revise_log } = checkShape(rowSchema, row)
  return {
    ...nothingSaid,
    task: task_num === null ? null : String(task_num),
    body: { turns: toTurns(revise_log, 'revise_log') },
  }
}

/**
 * Agent-R's search trees, one a file, and the records that it makes of them.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425)
 */
export const agentRReader: TrajectoryReader = {
  description: 'Agent-R: search trees `search_results_{n}.json`, and records `{task_num, revise_log}`',
  read: (row, place) => ('revise_log' in row ? readAgentRRecord(row) : readAgentRTree(row, place)),
}
