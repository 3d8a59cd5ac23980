import type { TrajectoryReader } from '../trajectory-reader.ts'
import { readAgentRRecord } from './agent-r-record.ts'
import { readAgentRTree } from './agent-r-tree.ts'

/**
 * Agent-R's search trees, one a file, and the records that it makes of them.
 *
 * @see Yuan et al. 2025, Agent-R (arXiv 2501.11425)
 */
export const agentRReader: TrajectoryReader = {
  description: 'Agent-R: search trees `search_results_{n}.json`, and records `{task_num, revise_log}`',
  read: (row, place) => ('revise_log' in row ? readAgentRRecord(row) : readAgentRTree(row, place)),
}
