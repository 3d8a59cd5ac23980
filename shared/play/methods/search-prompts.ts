import { debatePrompts, judgePrompts } from '../search/values/value-prompts.ts'
import { prefixTemplates } from './prompts/prefix-prompts.ts'
import { reactPrompt } from './prompts/react-prompt.ts'

export const searchPrompts = [
  reactPrompt.template,
  ...prefixTemplates,
  ...Object.values(judgePrompts),
  ...Object.values(debatePrompts),
]
