import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import { observationText } from '../search/conversation.ts'
import { actionKey } from '../search/proposals.ts'
import { readRestoreAction, restoreActionSchema } from '../search/restore-action.ts'
import type { SearchNode, SearchTree } from '../search/tree.ts'

/**
 * A model trained on `revision` rows takes this action when it notices an error. The turn counts, but the environment
 * is not asked.
 */
export const pauseParameter = {
  pause_action: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe(
      'An action that does nothing and is answered with "ok.", such as `wait`, for models that learned from revision rows. It is a turn, but not a step of the environment. Default: none.',
    ),
}

export const turnActionParameters = {
  restore_action: restoreActionSchema
    .optional()
    .describe(
      'An action that goes back to an earlier state, such as `undo {{steps}}`, for models that learned from exploration rows; the system text states its rule. It is a turn, but not a step of the environment. Default: none.',
    ),
  ...pauseParameter,
}

export interface TurnActions {
  restore_action?: string | undefined
  pause_action?: string | undefined
}

export interface TurnOutcome {
  state_of: number
  observation: string
  valid: boolean
}

/** The observation after a pause, as in `revision` rows (Yuan et al. 2025, Agent-R). */
const pauseAnswer = 'ok.'

/**
 * The result of a pause or a restore action; null for any other action, which goes to the environment. After a
 * restore action it repeats the observation of that state, as in `exploration` rows (Yu et al. 2024, ExACT).
 */
export function takeTurnAction(
  tree: SearchTree,
  node: SearchNode,
  action: string,
  { pause_action, restore_action }: TurnActions,
): TurnOutcome | null {
  if (pause_action === undefined && restore_action === undefined) return null
  const path = tree.statePath(node)
  const here = (path.at(-1) as SearchNode).index
  if (pause_action !== undefined && actionKey(action) === actionKey(pause_action)) {
    return { state_of: here, observation: pauseAnswer, valid: true }
  }
  const taken = path.length - 1
  const back = restore_action === undefined ? null : readRestoreAction(restore_action, action, taken)
  if (back === null) return null
  const target = back > 0 ? path[taken - back] : undefined
  if (target === undefined) {
    const observation = `That is not possible: ${taken === 0 ? 'there is no action to take back' : `from 1 to ${taken} actions can be taken back`}.`
    return { state_of: here, observation, valid: false }
  }
  return { state_of: target.index, observation: observationText(target.observation), valid: true }
}

/** @throws EspalierError if a method without a use for a restore action gets one */
export function refuseRestoreAction(method: string, given: JsonObject, isTaken: boolean): void {
  if (given.restore_action === undefined || isTaken) return
  throw new EspalierError(
    'invalid_request',
    `"${method}" takes no restore_action: only methods that let the agent play along a path do, and searches go back by themselves. Leave it out, or choose "react", "act" or "best-of-n".`,
    { param: 'method.restore_action' },
  )
}
