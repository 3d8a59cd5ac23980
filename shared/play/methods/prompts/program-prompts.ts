import { type ProgramLanguage, programFences } from '../../../core/contracts/program-language.ts'
import { definePrompt } from '../../search/prompt-template.ts'

/**
 * Minimum answer length for a program, in tokens, if the model's choice allows less: programs are longer than
 * actions.
 */
export const programTokens = 4096

export interface ProgramDialect {
  language: ProgramLanguage
  title: string
  suffix: string
  fence: string
  rules: string
  comment: string
}

const able = 'Functions, loops, conditions and regular expressions can be used freely.'

const javascript: ProgramDialect = {
  language: 'javascript',
  title: 'JavaScript',
  suffix: '',
  fence: programFences.javascript,
  rules: `Programs are plain JavaScript without modules, timers or network. One function is there: act(text) does one of the actions above, written as the agent would write it, and returns the environment's answer as a string. Where an action is not understood or not possible, act throws an error whose message is that answer. ${able}`,
  comment: '//',
}

const python: ProgramDialect = {
  language: 'python',
  title: 'Python',
  suffix: '-python',
  fence: programFences.python,
  rules: `Programs are plain Python without files, timers or network; of modules they may import those that only compute, such as re and math. One function is there: act(text) does one of the actions above, written as the agent would write it, and returns the environment's answer as a string. Where an action is not understood or not possible, act raises InvalidAction with that answer. ${able}`,
  comment: '#',
}

export const programDialects: Readonly<Record<ProgramLanguage, ProgramDialect>> = { javascript, python }

function promptsIn({ comment, fence, rules, suffix }: ProgramDialect) {
  return {
    /** @see Liang et al. 2023, Code as Policies (arXiv 2209.07753), with hierarchical code generation */
    policy: definePrompt({
      id: `code-as-policy${suffix}`,
      purpose: 'Asks the model that writes one program for a whole task.',
      text: `{{rules}}

You do not act yourself: you write one program that does the whole task.
${rules}

{{functions}}

{{example}}

Define helper functions where they make the program clearer. Answer with the whole program in one block:
\`\`\`${fence}
${comment} the program
\`\`\``,
    }),
    repair: definePrompt({
      id: `code-as-policy-repair${suffix}`,
      purpose: 'Asks for a program again when an answer held none that can be read.',
      text: `That cannot be run: {{error}} Write the whole program again, in one \`\`\`${fence} block.`,
    }),
  }
}

export const programPrompts = promptsIn(javascript)
export const programPromptsBy: Readonly<Record<ProgramLanguage, typeof programPrompts>> = {
  javascript: programPrompts,
  python: promptsIn(python),
}
