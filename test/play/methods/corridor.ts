import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { createTestEnvironment, type TestEnvironment } from '../../support/test-environment.ts'

interface State extends JsonObject {
  at: number
  goal: number
}

/**
 * A corridor: "forward" and "back" are a step each, and the task `goal-3` ends at place 3. There is a wall behind place 0, and
 * a pit behind place 9.
 */
export function createCorridor(): TestEnvironment<State> {
  return createTestEnvironment<State>(
    {
      reset: (task) => {
        const goal = Number(task.replace('goal-', ''))
        return { state: { at: 0, goal }, observation: `At 0. Goal: ${goal}.` }
      },
      step: ({ at, goal }, action) => {
        const next = at + ({ forward: 1, back: -1, look: 0 }[action] ?? Number.NaN)
        const isPossible = next >= 0
        if (!isPossible) {
          return {
            state: { at, goal },
            observation: 'Nothing happens.',
            reward: 0,
            done: false,
            valid: false,
          }
        }
        const state = { at: next, goal }
        const done = next === goal || next > 9
        const observation = next > 9 ? 'You fall.' : `At ${next}.`
        return { state, observation, reward: next > 9 ? -1 : next === goal ? 1 : 0, done }
      },
    },
    { default_max_steps: 6 },
  )
}
