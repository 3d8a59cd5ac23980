import { definePrompt } from '../../search/prompt-template.ts'

/**
 * Minimum answer length for a program, in tokens, if the model's choice allows less: programs are longer than
 * actions.
 */
export const programTokens = 4096

export const programRules = `Programs are plain JavaScript without modules, timers or network. One function is there: act(text) does one of the actions above, written as the agent would write it, and returns the environment's answer as a string. Where an action is not understood or not possible, act throws an error whose message is that answer. Functions, loops, conditions and regular expressions can be used freely.`

export const programPrompts = {
  /** @see Liang et al. 2023, Code as Policies (arXiv 2209.07753), with hierarchical code generation */
  policy: definePrompt({
    id: 'code-as-policy',
    purpose: 'Asks the model that writes one program for a whole task.',
    text: `{{rules}}

You do not act yourself: you write one program that does the whole task.
${programRules}

{{functions}}

{{example}}

Define helper functions where they make the program clearer. Answer with the whole program in one block:
\`\`\`js
// the program
\`\`\``,
  }),
  repair: definePrompt({
    id: 'code-as-policy-repair',
    purpose: 'Asks for a program again when an answer held none that can be read.',
    text: `That cannot be run: {{error}} Write the whole program again, in one \`\`\`js block.`,
  }),
} as const
