import { definePrompt } from '../prompt-template.ts'

export const judgePrompts = {
  introduction: definePrompt({
    id: 'judge-introduction',
    purpose: 'Opens the conversation with the judge: its purpose, and the instructions that the agent had.',
    text: `You judge how far an agent has come with its task. You see everything it did and everything the environment answered, and nothing else. Be exact: what the environment did not confirm has not happened.

This is what the agent was told:
<<<
{{rules}}
>>>`,
  }),
  question: definePrompt({
    id: 'judge-question',
    purpose: 'Asks the judge how far the agent has come.',
    text: `{{transcript}}

{{checks}}

{{advice}}

Where does the task stand after the last turn?
A: It is done; nothing is missing.
B: One more action will finish it.
C: More than one action is needed, and the agent is on its way.
D: It cannot be told, or the last action did not help.
E: No progress, or a mistake that cannot be made good.

Answer in this form:
Thoughts: <what has been reached and what is missing, in a few sentences>
Status code: <A, B, C, D or E>`,
  }),
  rubric: definePrompt({
    id: 'judge-rubric',
    purpose: 'Asks, before anything was done, what to check when judging this task.',
    text: `{{transcript}}

{{advice}}

Nothing has been done yet. Which checks tell whether this task is done? Write at most four, each of them something that can be seen in what the environment answers.

Answer in this form:
Checks:
1. <a check>
2. <another check>`,
  }),
} as const

export function showChecks(checks: string): string {
  return checks === '' ? '' : `Check these before you decide:\n${checks}`
}

export const debatePrompts = {
  introduction: definePrompt({
    id: 'debate-introduction',
    purpose: 'Opens the conversations of the debaters and of the judge: the instructions that the agent had.',
    text: `You look at what an agent did to solve a task, together with others. You see everything it did and everything the environment answered, and nothing else. Keep to the facts and be specific.

This is what the agent was told:
<<<
{{rules}}
>>>`,
  }),
  support: definePrompt({
    id: 'debate-support',
    purpose: 'Asks for the best case for the last action.',
    text: `{{transcript}}

Argue that the last action was the right one and that the agent is on its way to solve the task. Name what shows it. At most 100 words.

Answer in this form:
Opinion: <your case>`,
  }),
  oppose: definePrompt({
    id: 'debate-oppose',
    purpose: 'Asks for the best case against the last action.',
    text: `{{transcript}}

Argue that the last action was a mistake or did not help, and that the task is not as far as it seems. Name what shows it. At most 100 words.

Answer in this form:
Opinion: <your case>`,
  }),
  verdict: definePrompt({
    id: 'debate-verdict',
    purpose: 'Asks the judge, who has read both cases, where the task stands.',
    text: `{{transcript}}

{{advice}}

Two others have looked at this.
The first says: {{first}}
The second says: {{second}}

Weigh what they say against what the environment answered. Where does the task stand after the last turn?
A: It is done; nothing is missing.
B: One more action will finish it.
C: More than one action is needed, and the last action looks like the best one.
D: More is needed, and the last action was not the best one.
E: No progress, or a mistake that cannot be made good.

Answer in this form:
Thoughts: <what weighs more, in a few sentences>
Status code: <A, B, C, D or E>`,
  }),
  alone: definePrompt({
    id: 'debate-alone',
    purpose:
      'Asks one judge to debate with itself: what was done, what speaks for it and against it, and where the task stands.',
    text: `{{transcript}}

First look at both sides, then decide where the task stands after the last turn.
A: It is done: every requirement is met, or it was rightly given up as impossible.
B: One more action will finish it.
C: The agent is surely on its way, and needs more than one action.
D: It may be on its way, but the last action did not come as it should have; another one should be tried.
E: No progress, or it was given up although it can be done.

Answer in this form:
Done: <what the last action did, as the environment shows it>
For: <what shows that the agent is on its way>
Against: <what shows that it is not>
Thoughts: <what weighs more, in a few sentences>
Status code: <A, B, C, D or E>`,
  }),
} as const
