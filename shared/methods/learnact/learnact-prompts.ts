import { definePrompt } from '../../prompts/prompt-template.ts'
import { programRules } from '../prompts/program-prompts.ts'

/** For learning actions: write functions, show how to use them, describe them, mend them. */
export const learnactPrompts = {
  introduction: definePrompt({
    id: 'learnact-introduction',
    purpose: 'Told first to whoever writes functions: the environment, and how programs work.',
    text: `You extend what an agent can do. This is what the agent was told:
<<<
{{rules}}
>>>

You write functions that the agent can call as one action each.
${programRules}

{{example}}`,
  }),
  create: definePrompt({
    id: 'learnact-create',
    purpose: 'Asks for a set of functions.',
    text: `This is how a task of this kind begins:
{{observation}}

Write several functions that do larger steps of such tasks, each of them at least two actions put together. Names of things are parameters, so that the functions serve every task of this kind; give each a comment that says what it does and what its parameters are. Below them, call them once to do the task above.

Answer with all of it in one block:
\`\`\`js
// functions, then calls
\`\`\``,
  }),
  again: definePrompt({
    id: 'learnact-again',
    purpose: 'Shows the error that functions had when they were tried, and asks for all of them again.',
    text: `When it was tried, this happened: {{error}}

Write all of it again, in one \`\`\`js block.`,
  }),
  usage: definePrompt({
    id: 'learnact-usage',
    purpose: 'Asks for a worked example that uses the functions.',
    text: `These are the functions:
{{code}}

This is how a task of this kind begins:
{{observation}}

Show how an agent does this task with these functions, and with the plain actions where no function fits. Write what it would do and what it would see, in turn.

Answer in this form:
Action: <a function call, or a plain action>
Observation: <what is seen then>
Action: <…>
Observation: <…>`,
  }),
  describe: definePrompt({
    id: 'learnact-describe',
    purpose: 'Asks for a description of one function.',
    text: `This is one of the functions:
{{code}}

Tell the agent in one paragraph what {{name}} does, what each parameter is and when to call it.

Answer in this form:
Description: <one paragraph>`,
  }),
  revise: definePrompt({
    id: 'learnact-revise',
    purpose: 'Shows the first call that failed, and asks for a mended function or a note.',
    text: `These are the functions:
{{code}}

The agent played this task:
{{history}}

Then it called:
{{call}}
which failed: {{error}}
The actions that the function took:
{{trace}}

Why did it fail? If the function is wrong, mend it: write it again under the same name, or add functions. If it was called wrongly, write a note for the agent instead.

Answer in one of these forms:
Reason: <why it failed>
Decision: update {{name}}
\`\`\`js
// the function, or several
\`\`\`

Reason: <why it failed>
Decision: note {{name}}
Note: <what to heed when calling it>`,
  }),
} as const
