import { definePrompt } from '../../prompts/prompt-template.ts'

/** For one judge: how far an agent has come, as a letter that stands for a value. */
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

/** How checks are put before a judge. */
export function showChecks(checks: string): string {
  return checks === '' ? '' : `Check these before you decide:\n${checks}`
}
