import { z } from 'zod'
import { checkShape } from '../bad-row-error.ts'
import { splitItemId } from '../task-name.ts'
import { nothingSaid, type TrajectoryReader } from '../trajectory-reader.ts'
import { sharegptTurns, sharegptTurnsSchema } from './sharegpt-turns.ts'

const rowSchema = z.looseObject({
  item_id: z.string().min(1),
  conversations: sharegptTurnsSchema,
  /** Of evaluations: the score of the last step. */
  reward: z.number().nullish(),
})

/** The largest score in ScienceWorld, whose servers and evaluations do not give shares. */
const scienceWorldScale = 100

/**
 * AgentGym's trajectories, `{item_id, conversations: [{from, value, loss}]}`, and what its evaluation writes, which has `reward`
 * and `success` beside them. The item's id names the environment. A score below 0, as of a task that failed for good, is 0.
 *
 * @see Xi et al. 2024, AgentGym (arXiv 2406.04151): AgentTraj-L
 */
export const agenttrajReader: TrajectoryReader = {
  description:
    'AgentTraj-L: `{item_id, conversations: [{from, value, loss}]}`; AgentGym’s evaluations also with `reward`',
  read(row, place) {
    const { item_id, conversations, reward = null } = checkShape(rowSchema, row)
    const item = splitItemId(item_id)
    return {
      ...nothingSaid,
      environment: place.environment ?? item?.environment ?? null,
      task: item_id,
      reward: reward === null ? null : Math.max(0, reward),
      ...(reward !== null && { scienceWorldScale }),
      body: { turns: sharegptTurns(conversations) },
    }
  },
}
