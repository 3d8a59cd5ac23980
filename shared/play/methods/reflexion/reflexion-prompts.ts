import { definePrompt } from '../../search/prompt-template.ts'

export const reflexionPrompts = {
  introduction: definePrompt({
    id: 'reflexion-introduction',
    purpose: 'Opens the request for a note about a failure: what the agent was asked to do.',
    text: `You help an agent learn from its failures. This is what the agent was told:
<<<
{{rules}}
>>>`,
  }),
  note: definePrompt({
    id: 'reflexion-note',
    purpose: 'Shows a failed attempt and asks for one sentence to heed in the future.',
    text: `{{transcript}}

The agent stopped here, and the task was not solved. {{earlier}}

What should it heed next time? One sentence that helps with other tasks of this kind as well.

Answer in this form:
Note: <one sentence>`,
  }),
  earlier: definePrompt({
    id: 'reflexion-earlier',
    purpose: 'Shows within a note’s prompt the earlier notes that the agent had.',
    text: `It had been told to heed this:
{{notes}}`,
  }),
} as const
