import { debatePrompts, judgePrompts } from '../search/values/value-prompts.ts'
import { reactPrompt } from './prompts/react-prompt.ts'

export const searchPrompts = [
  reactPrompt.template,
  ...Object.values(judgePrompts),
  ...Object.values(debatePrompts),
]
