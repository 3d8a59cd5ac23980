import { debatePrompts, judgePrompts } from '../search/values/value-prompts.ts'
import { reactPrompt } from './prompts/react-prompt.ts'

/** What a search with a value function can show. */
export const searchPrompts = [
  reactPrompt.template,
  ...Object.values(judgePrompts),
  ...Object.values(debatePrompts),
]
