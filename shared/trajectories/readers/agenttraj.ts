import { z } from 'zod'
import { checkShape } from '../bad-row.ts'
import { splitItemId } from '../task-name.ts'
import { nothingSaid, type TrajectoryReader } from '../trajectory-reader.ts'
import { sharegptTurns, sharegptTurnsSchema } from './sharegpt-turns.ts'

const rowSchema = z.looseObject({ item_id: z.string().min(1), conversations: sharegptTurnsSchema })

/**
 * AgentGym's trajectories, `{item_id, conversations: [{from, value, loss}]}`. The item's id names the environment.
 *
 * @see Xi et al. 2024, AgentGym (arXiv 2406.04151): AgentTraj-L
 */
export const agenttraj: TrajectoryReader = {
  description: 'AgentTraj-L: `{item_id, conversations: [{from, value, loss}]}`',
  read(row, place) {
    const { item_id, conversations } = checkShape(rowSchema, row)
    const item = splitItemId(item_id)
    return {
      ...nothingSaid,
      environment: place.environment ?? item?.environment ?? null,
      task: item_id,
      body: { turns: sharegptTurns(conversations) },
    }
  },
}
