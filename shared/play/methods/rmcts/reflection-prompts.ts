import { definePrompt } from '../../search/prompt-template.ts'

export const reflectionPrompts = {
  introduction: definePrompt({
    id: 'reflection-introduction',
    purpose: 'Opens every request for a reflection: what the agent was asked to do.',
    text: `You help an agent learn from what surprised it. This is what the agent was told:
<<<
{{rules}}
>>>`,
  }),
  expectation: definePrompt({
    id: 'reflection-expectation',
    purpose: 'Asks, without the outcome, what an action should lead to.',
    text: `{{transcript}}

Now the agent does this:
{{action}}

What should the environment answer to it, if all goes well? Describe the answer in a few sentences. Propose no actions.

Answer in this form:
Expectation: <what should be seen>`,
  }),
  contrast: definePrompt({
    id: 'reflection-contrast',
    purpose: 'Shows what was expected and what came of it, and asks what is to be learned.',
    text: `{{transcript}}

Then the agent did this:
{{action}}
It was to be expected: {{expectation}}
What came of it: {{outcome}}
In the end the task {{end}}.

Why did it come differently from what was expected, and what should be heeded in situations like this one? Give the cause and advice that holds in general; name no concrete next action. At most 100 words.

Answer in this form:
Advice: <cause and advice>`,
  }),
  debate: definePrompt({
    id: 'reflection-debate',
    purpose: 'Shows a judge’s wrong verdict with both cases, and asks what judges should heed.',
    text: `{{transcript}}

A judge valued this state at {{value}}. For it spoke: {{support}}
Against it spoke: {{oppose}}
It came out that {{truth}}: the value should have been about {{later}}.

What should a judge heed to see this at once? Advice that holds in general, at most 100 words.

Answer in this form:
Advice: <what to heed>`,
  }),
  rubric: definePrompt({
    id: 'reflection-rubric',
    purpose: 'Shows a wrong verdict and its checks, and asks what checks would have been better.',
    text: `{{transcript}}

A judge valued this state at {{value}}, going by these checks:
{{checks}}
It came out that {{truth}}: the value should have been about {{later}}.

What makes checks for tasks like this one good? Advice that holds in general, at most 100 words.

Answer in this form:
Advice: <what to heed>`,
  }),
} as const
