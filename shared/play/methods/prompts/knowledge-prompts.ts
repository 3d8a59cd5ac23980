import { definePrompt } from '../../search/prompt-template.ts'

export const knowledgePrompts = {
  notes: definePrompt({
    id: 'notes',
    purpose: 'Shows the agent what was learned from tasks that failed.',
    text: `Heed what was learned from other tasks:
{{notes}}`,
  }),
  actions: definePrompt({
    id: 'actions',
    purpose: 'Shows the agent the actions that were learned.',
    text: `Besides, you can call these functions as one action each. A call that fails changes nothing.
{{actions}}
Write a call with its arguments as texts in quotes, numbers, or lists of these, as in: Action: name("first", ["second", "third"])`,
  }),
  functions: definePrompt({
    id: 'functions',
    purpose: 'Shows the model that writes a program the functions that were learned.',
    text: `Besides, these functions are defined already; the program can call them.
{{functions}}`,
  }),
  /** @see Yu et al. 2024, ExACT: reflections are retrieved into the prompt of the policy */
  advice: definePrompt({
    id: 'advice',
    purpose: 'Shows an agent or a judge what was learned in situations like this one.',
    text: `[START OF ADVICE]
Learned in other tasks; heed it where it applies.
{{advice}}
[END OF ADVICE]`,
  }),
} as const
