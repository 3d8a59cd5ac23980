import { definePrompt } from '../../search/prompt-template.ts'
import { fewShotPrompt } from './few-shot.ts'

// Marked as advice is, so that the observation behind it can be told apart.
const marked = <const Text extends string>(text: Text) =>
  `[START OF ADVICE]\n${text}\n[END OF ADVICE]` as const

// By the names of ExACT's `user_prompt_prefix` (Yu et al. 2024); the texts are ours.
export const prefixPrompts = {
  reasoning_v1: definePrompt({
    id: 'reasoning_v1',
    purpose: 'Stands before the newest observation, if `prompt_prefix` names it: asks for reasons first.',
    text: marked(
      `Before you act, reason step by step: what the observation shows now, whether your last action had the effect that you expected, what is still missing for the task, and which one action brings it nearer. Then answer in the form asked for.`,
    ),
  }),
  explorative_v1: definePrompt({
    id: 'explorative_v1',
    purpose: 'Stands before the newest observation, if `prompt_prefix` names it: asks for exploration.',
    text: marked(
      `Explore before you commit. Say how promising the present state is. If your last actions brought nothing nearer, go back or try something that you have not tried yet, rather than the same again. Look at what an action led to before you rely on it, and end the task only when you have checked that it is done. Then answer in the form asked for.`,
    ),
  }),
} as const

// Prompts of agents that play with turns.
export const prefixTemplates = [...Object.values(prefixPrompts), fewShotPrompt]
