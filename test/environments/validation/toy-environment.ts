import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { EnvironmentTask, PureCore, PureEnvironment } from '../../../shared/environments/environment.ts'

export type ToyState = { at: number; best: number }

const goal = 3

export const toyTasks: readonly EnvironmentTask[] = ['train', 'test'].flatMap((split) =>
  [1, 2].map((number) => ({
    id: `toy-${split}-${number}`,
    split,
    type: 'stairs',
    description: `Climb ${goal} stairs.`,
  })),
)

/** A game that keeps every rule: climb three stairs with `up` and `down`. */
export function toyCore(): PureCore<ToyState> {
  return {
    reset(task) {
      if (toyTasks.some(({ id }) => id === task))
        return { state: { at: 0, best: 0 }, observation: 'up or down?' }
      throw new EspalierError('unknown_task', `There is no task "${task}".`)
    },
    step({ at, best }, action) {
      const isUp = action === 'up' && at < goal
      const isDown = action === 'down' && at > 0 && at < goal
      const next = at + (isUp ? 1 : isDown ? -1 : 0)
      const state = { at: next, best: Math.max(best, next) }
      return {
        state,
        observation: `stair ${next}`,
        reward: next === goal ? 1 : 0,
        done: next === goal,
        valid: isUp || isDown,
        progress: state.best / goal,
      }
    },
    validActions: ({ at }) => (at >= goal ? [] : at === 0 ? ['up'] : ['down', 'up']),
  }
}

/** The toy with parts of it replaced; what is replaced in the core comes from a function, so that it can keep something. */
export function toyEnvironment(
  broken: Partial<Pick<PureEnvironment, 'tasks' | 'describe' | 'default_max_steps' | 'reward_range'>> = {},
  breakCore: (core: PureCore<ToyState>) => Partial<PureCore> = () => ({}),
): PureEnvironment {
  const own = toyCore()
  const core = { ...(own as unknown as PureCore<JsonObject>), ...breakCore(own) }
  return {
    id: 'toy',
    description: 'Climb stairs.',
    snapshot: 'native',
    deterministic: true,
    success_threshold: 1,
    default_max_steps: 10,
    tasks: () => toyTasks,
    describe: () => ({ rules: 'Climb three stairs, by "up" and "down".', example: null }),
    async open(task) {
      own.reset(task, 0)
      return core
    },
    ...broken,
  }
}
