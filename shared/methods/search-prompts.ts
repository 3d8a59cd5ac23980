import { debatePrompts } from '../search/prompts/debate-prompts.ts'
import { judgePrompts } from '../search/prompts/judge-prompts.ts'
import { reactPrompt } from './prompts/react-prompt.ts'

/** What a search with a value function can show. */
export const searchPrompts = [
  reactPrompt.template,
  ...Object.values(judgePrompts),
  ...Object.values(debatePrompts),
]
