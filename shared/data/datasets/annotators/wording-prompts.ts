import { definePrompt } from '../../../play/search/prompt-template.ts'

export const wordingPrompts = {
  choose: definePrompt({
    id: 'wording-choose',
    purpose: 'Asks which of several judgements of a state fits what was done there.',
    text: `An agent works on this task:
<<<
{{task}}
>>>

It stands here:
<<<
{{shown}}
>>>

It goes on with this:
<<<
{{turn}}
>>>

Several have judged where it stands:
{{options}}

Which of the judgements agrees best with what the agent sees and with what it does next?

Answer in this form:
Reason: <one sentence>
Option: <the letter>`,
  }),
  rewrite: definePrompt({
    id: 'wording-rewrite',
    purpose: 'Asks for one coherent thought in the place of a turn that was put together from parts.',
    text: `An agent works on this task:
<<<
{{task}}
>>>

It stands here:
<<<
{{shown}}
>>>

Its next turn was put together from several texts:
<<<
{{turn}}
>>>

Write the turn again as the agent itself would: one thought in the first person, without a word about any agent seen from outside. It first takes stock of where it stands, in a way that leads to the action, and then says what comes next. Add no facts. Copy the action to the letter.

Answer in this form:
Thought: <the thought>
Action: <the same action>`,
  }),
} as const
