import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { PureCore } from '../../../shared/environments/environment.ts'
import type { ActAnswer, ProgramState } from '../../../shared/play/sandbox/program.ts'
import { openHere } from '../sandbox/run-here.ts'

const sandbox = await openHere()

export interface Played {
  reward: number
  /** What every action was answered. */
  observations: string[]
  actions: string[]
  /** Null where the task ended before the program did. */
  failure: Extract<ProgramState, { type: 'failed' }> | null
  state: JsonObject
}

/** Runs a program as agents' programs are run: again from its top with each answer more, until the task or the program ends. */
export function runProgram(core: Pick<PureCore, 'step'>, start: JsonObject, code: string): Played {
  const answers: ActAnswer[] = []
  const actions: string[] = []
  let state = start
  for (;;) {
    const stands = sandbox.run({ code, seed: 0 }, answers)
    const observations = answers.map(({ observation }) => observation)
    if (stands.type !== 'acts') {
      const failure = stands.type === 'failed' ? stands : null
      return { reward: 0, observations, actions, failure, state }
    }
    const result = core.step(state, stands.action)
    state = result.state
    actions.push(stands.action)
    answers.push({ observation: result.observation, valid: result.valid })
    if (result.done) {
      return {
        reward: result.reward,
        observations: [...observations, result.observation],
        actions,
        failure: null,
        state,
      }
    }
  }
}

/** The code of an answer's block. */
export function codeIn(answer: string): string {
  return /```js\n([\s\S]*?)\n```/.exec(answer)?.[1] ?? ''
}
