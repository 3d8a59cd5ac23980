import { definePrompt } from '../../search/prompt-template.ts'
import { programRules } from '../prompts/program-prompts.ts'

export const learnactPrompts = {
  introduction: definePrompt({
    id: 'learnact-introduction',
    purpose: 'Opens every request for functions: the environment, and how programs work.',
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

{{request}} Each function puts at least two actions together. A parameter is a text, a number or a list of these. Give each function a comment that says what it does and what its parameters are. Below the functions, call them once to do the task above.

In a warehouse, where the actions are "drive to <bay>", "load <crate>" and "unload <crate>", one of them could be:
/**
 * Brings crates from a bay to another, one after the other. The robot has to be unloaded.
 * @param crates - the crates, such as ["crate3", "crate5"]
 * @param from - the bay where they stand
 * @param to - the bay where they have to go
 */
function bringCrates(crates, from, to) {
  for (const crate of crates) {
    act("drive to " + from)
    act("load " + crate)
    act("drive to " + to)
    act("unload " + crate)
  }
}

and a call below it:
bringCrates(["crate3", "crate5"], "bay1", "bay4")

Answer with all of it in one block:
\`\`\`js
// functions, then calls
\`\`\``,
  }),
  structured: definePrompt({
    id: 'learnact-request-structured',
    purpose: 'What functions are asked for, in the variant "structured".',
    text: `Sum up the larger steps in which this task is done. Write several functions, one for each of these steps, that serve all similar tasks: every name and value that a function uses is a parameter, and none stands in its code.`,
  }),
  free: definePrompt({
    id: 'learnact-request-free',
    purpose: 'What functions are asked for, in the variant "free".',
    text: `Sum up the larger steps in which this task is done. Write several functions for these steps, and for whatever else is useful in such tasks. Names of things are parameters.`,
  }),
  decompose: definePrompt({
    id: 'learnact-request-decompose',
    purpose: 'What functions are asked for, in the variant "decompose".',
    text: `Propose larger steps that this task can be taken apart into. Write several functions, one for each step that you propose. Names of things are parameters.`,
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

In a warehouse, with the function bringCrates(crates, from, to), a task that ends with the robot at the gate would be shown like this:
Action: bringCrates(["crate3", "crate5"], "bay1", "bay4")
Observation: You drive to bay4, where you unload crate5. Nothing is left to bring.
Action: drive to gate
Observation: You wait at the gate, and all is done.

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

Tell the agent in one paragraph what {{name}} does, what each parameter is, what has to be so before it is called and what is so afterwards.

For the function bringCrates(crates, from, to) of a robot in a warehouse this could read:
Description: Brings crates from one bay to another, one after the other: for each it drives to "from", loads the crate, drives to "to" and unloads it there. crates is a list of names as they are shown, such as ["crate3", "crate5"]; from and to are bays, such as "bay1". Before, the robot has to be unloaded and all the crates have to stand in "from"; afterwards they and the robot are in "to". Call it once for all crates with the same way to go.

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

Why did it fail? If the function is wrong, mend it: write it again under the same name, or add functions, with a call below that tries it. If it was called wrongly, write a note for the agent instead.

Two such answers, about functions for a warehouse. In the first case, a crate was loaded and unloaded without a drive between; in the second, a crate that the call named stood in another bay.

Reason: bringCrates never drives to "to" before it unloads, so the crate stays in "from" and the next one cannot be brought.
Decision: update bringCrates
\`\`\`js
function bringCrates(crates, from, to) {
  for (const crate of crates) {
    act("drive to " + from)
    act("load " + crate)
    act("drive to " + to)
    act("unload " + crate)
  }
}

bringCrates(["crate3", "crate5"], "bay1", "bay4")
\`\`\`

Reason: bringCrates loads every crate in the bay "from", but crate5 stood in another bay.
Decision: note bringCrates
Note: Call bringCrates once for each bay where crates stand, and name only the crates that are there.

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
