import type { PlayOutcome } from '../../../../shared/core/engine/episode-player.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce } from '../../../support/play-once.ts'
import {
  act,
  type ScriptedCall,
  scriptedEnvironment,
  scriptedModel,
  scriptedRoles,
  trace,
} from '../../../support/scripted-episode.ts'

export interface ValuedOnce {
  outcome: PlayOutcome
  options: PlayOnceOptions
  /** What was done, and what came of it. */
  lines: string[]
  /** Calls to others than the policy, in their order. */
  calls: ScriptedCall[]
}

/** An episode of two actions, a and then b, after which the task ends; each leads to a state that is valued. */
export async function valueOnce(
  method: Record<string, unknown>,
  answer: (call: ScriptedCall) => string | readonly string[],
  given: Partial<PlayOnceOptions> = {},
): Promise<ValuedOnce> {
  const model = scriptedModel((call) =>
    call.role === 'policy' ? act(call.way === '' ? 'a' : 'b') : answer(call),
  )
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: scriptedEnvironment({ 'a/b': { done: true } }),
    model,
    request: { roles: scriptedRoles },
    method: { id: 'mcts', iterations: 1, ...method },
    ...given,
  }
  const { outcome } = await playOnce(options)
  const calls = model.calls.filter(({ role }) => role !== 'policy')
  return { outcome, options, calls, lines: await trace(options) }
}

export const ended: PlayOutcome = { type: 'ended', limit: null }
