import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import { createTestEnvironment, type TestEnvironment } from './test-environment.ts'

type State = { path: string[] }

/**
 * A made-up environment whose every answer is a hash of the seed and the path: any tree can come of it, and it is the
 * same one each time.
 */
export function createHashEnvironment(
  seed: number,
  { depth = 5, disasters = 0.05 } = {},
): TestEnvironment<State> {
  return createTestEnvironment<State>(
    {
      reset: (task) => ({ state: { path: [] }, observation: `start of ${task}` }),
      step: ({ path }, action) => {
        const next = [...path, action]
        const random = seededRandom('environment', seed, next.join('/'))
        const done = random() < 0.2 || next.length > depth
        const disaster = random() < disasters
        const reward = disaster ? -1 : done ? Math.round(random() * 4) / 4 : 0
        return {
          state: { path: next },
          observation: `saw ${Math.floor(random() * 1000)}`,
          reward,
          done: done || disaster,
          valid: random() < 0.8,
          progress: Math.max(reward, 0),
        }
      },
    },
    { default_max_steps: depth + 2 },
  )
}
