import type { PureEnvironment } from '../../shared/environments/environment.ts'
import { seededRandom } from '../../shared/random/seeded-random.ts'

type State = { path: string[] }

/**
 * A made-up environment whose every answer is a hash of the seed and the path: any tree can come of it, and it is the
 * same one each time.
 */
export function createHashEnvironment(
  seed: number,
  { depth = 5, disasters = 0.05 } = {},
): PureEnvironment<State> {
  return {
    id: 'textcraft',
    description: 'Answers drawn from hashes.',
    snapshot: 'native',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: depth + 2,
    tasks: () => [{ id: 'task', split: 'test', type: 'any', description: 'any' }],
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
      }
    },
  }
}
