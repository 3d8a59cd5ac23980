import type { EndReason } from '../contracts/end-reason.ts'

export const endWords: Readonly<Record<EndReason, string>> = {
  solved: 'solved',
  partial_reward: 'ended by the task with part of the reward',
  no_reward: 'ended by the task without reward',
  invalid_actions: 'half of the actions or more were invalid',
  cut_answers: 'half of the answers or more were cut',
  steps: 'step limit',
  turns: 'limit of model calls',
  tokens: 'token limit',
  cost: 'cost limit',
  time: 'time limit',
  error: 'error',
  cancelled: 'cancelled',
}
