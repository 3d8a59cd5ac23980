import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { PureCore, PureEnvironment } from '../../shared/environments/environment.ts'

// An environment of a user that does what no environment should, task by task.

class Place {
  readonly at: number

  constructor(at: number) {
    this.at = at
  }
}

const tasks = [
  'fine',
  'loops',
  'loops-at-reset',
  'loops-at-open',
  'grows',
  'takes-buffers',
  'exits',
  'throws',
  'rewards-nothing',
  'keeps-a-function',
  'keeps-a-class',
  'keeps-odd-values',
  'changes-its-argument',
]

/** What is done in the fifth step. */
const done: Readonly<Record<string, () => Partial<ReturnType<PureCore['step']>>>> = {
  loops() {
    for (;;);
  },
  grows() {
    const known = new Map<number, number>()
    for (let index = 0; ; index += 1) known.set(index, index)
  },
  'takes-buffers'() {
    const taken: Uint8Array[] = []
    for (;;) taken.push(new Uint8Array(2 ** 24).fill(1))
  },
  exits: () => process.exit(3),
  throws() {
    throw new TypeError('The dragon is not defined.')
  },
  'rewards-nothing': () => ({ reward: Number.NaN }),
  'keeps-a-function': () => ({ state: { say: () => 5 } as never }),
  'keeps-a-class': () => ({ state: { place: new Place(5) } as never }),
  'keeps-odd-values': () => ({
    state: { count: 5, best: Number.NEGATIVE_INFINITY, none: undefined } as never,
  }),
}

function openTask(task: string): PureCore {
  return {
    reset(_task, seed) {
      if (task === 'loops-at-reset') for (;;);
      return { state: { count: 0, seed }, observation: `You begin with ${seed}.` }
    },
    step(state, action) {
      const count = Number(state.count) + 1
      if (task === 'changes-its-argument') state.count = count
      const next: JsonObject = { ...state, count, last: action.slice(0, 20) }
      const answer = { observation: `Step ${count}: ${action.slice(0, 20)}.`, reward: count >= 8 ? 1 : 0 }
      const usual = {
        state: next,
        ...answer,
        done: count >= 8,
        valid: true,
        progress: Math.min(count / 8, 1),
      }
      return count === 5 ? { ...usual, ...done[task]?.() } : usual
    },
  }
}

export const hostile: PureEnvironment = {
  id: 'hostile',
  description: 'Does what no environment should.',
  snapshot: 'native',
  deterministic: true,
  success_threshold: 1,
  default_max_steps: 10,
  tasks: () => tasks.map((id) => ({ id, split: 'test', type: 'any', description: id })),
  describe: () => ({ rules: 'Write any word.', example: null }),
  async open(task) {
    if (task === 'loops-at-open') for (;;);
    return openTask(task)
  },
}
