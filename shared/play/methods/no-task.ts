import type { StateResult } from './node-states.ts'

export const noTask: StateResult = {
  observation: 'Learning from other tasks; each of them begins below.',
  reward: 0,
  done: false,
  valid: true,
  progress: 0,
  state_hash: null,
}
