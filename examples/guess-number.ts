import type { PureCore, PureEnvironment } from 'espalier/environment'
import { EspalierError } from 'espalier/errors'

type State = { secret: number; nearest: number }

const rules = `You guess a whole number from 1 to 100 and are told whether the hidden one is higher or lower.
The only action is: guess NUMBER`

const tasks = Array.from({ length: 20 }, (_, index) => ({
  id: `guess-${index}`,
  split: index < 15 ? 'train' : 'test',
  type: 'plain',
  description: 'Find the hidden number.',
}))

const core: PureCore<State> = {
  reset(task, seed) {
    const index = tasks.findIndex(({ id }) => id === task)
    if (index < 0) throw new EspalierError('unknown_task', `There is no task "${task}".`)
    const secret = ((index * 37 + seed * 11) % 100) + 1
    return { state: { secret, nearest: 100 }, observation: 'I think of a number from 1 to 100.' }
  },
  step(state, action) {
    const guess = Number(/^guess (\d{1,3})$/.exec(action.trim())?.[1] ?? Number.NaN)
    const valid = guess >= 1 && guess <= 100
    const nearest = valid ? Math.min(state.nearest, Math.abs(guess - state.secret)) : state.nearest
    const done = guess === state.secret
    return {
      state: { ...state, nearest },
      observation: !valid
        ? 'Write: guess NUMBER'
        : done
          ? 'Right!'
          : guess < state.secret
            ? 'Higher.'
            : 'Lower.',
      reward: done ? 1 : 0,
      done,
      valid,
      progress: 1 - nearest / 100,
    }
  },
}

export const guessNumber: PureEnvironment<State> = {
  id: 'guess-number',
  description: 'Guess a number from 1 to 100 by being told higher or lower.',
  snapshot: 'native',
  deterministic: true,
  success_threshold: 1,
  default_max_steps: 10,
  tasks: () => tasks,
  describe: () => ({ rules, example: null }),
  open: async () => core,
}
