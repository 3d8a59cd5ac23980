import type { ProgramLanguage } from '../../../core/contracts/program-language.ts'
import { definePrompt } from '../../search/prompt-template.ts'
import { type ProgramDialect, programDialects } from '../prompts/program-prompts.ts'

const plain = {
  javascript: `function bringCrates(crates, from, to) {
  for (const crate of crates) {
    act("drive to " + from)
    act("load " + crate)
    act("drive to " + to)
    act("unload " + crate)
  }
}`,
  python: `def bring_crates(crates, start, to):
    for crate in crates:
        act("drive to " + start)
        act("load " + crate)
        act("drive to " + to)
        act("unload " + crate)`,
}

const examples = {
  javascript: {
    name: 'bringCrates',
    from: 'from',
    note: 'a comment',
    plain: plain.javascript,
    documented: `/**
 * Brings crates from a bay to another, one after the other. The robot has to be unloaded.
 * @param crates - the crates, such as ["crate3", "crate5"]
 * @param from - the bay where they stand
 * @param to - the bay where they have to go
 */
${plain.javascript}`,
  },
  python: {
    name: 'bring_crates',
    from: 'start',
    note: 'a docstring',
    plain: plain.python,
    documented: plain.python.replace(
      ':\n',
      `:
    """Brings crates from a bay to another, one after the other. The robot has to be unloaded.

    crates: the crates, such as ["crate3", "crate5"]
    start: the bay where they stand
    to: the bay where they have to go
    """
`,
    ),
  },
}

export const learnactPrompts = promptsIn(programDialects.javascript)
export const learnactPromptsBy: Readonly<Record<ProgramLanguage, typeof learnactPrompts>> = {
  javascript: learnactPrompts,
  python: promptsIn(programDialects.python),
}

export const everyLearnactPrompt = [
  ...new Map(
    Object.values(learnactPromptsBy)
      .flatMap((prompts) => Object.values(prompts))
      .map((prompt) => [prompt.id, prompt]),
  ).values(),
]

function promptsIn({ comment, fence, language, rules, suffix }: ProgramDialect) {
  const crates = examples[language]
  return {
    introduction: definePrompt({
      id: `learnact-introduction${suffix}`,
      purpose: 'Opens every request for functions: the environment, and how programs work.',
      text: `You extend what an agent can do. This is what the agent was told:
<<<
{{rules}}
>>>

You write functions that the agent can call as one action each.
${rules}

{{example}}`,
    }),
    create: definePrompt({
      id: `learnact-create${suffix}`,
      purpose: 'Asks for a set of functions.',
      text: `This is how a task of this kind begins:
{{observation}}

{{request}} Each function puts at least two actions together. A parameter is a text, a number or a list of these. Give each function ${crates.note} that says what it does and what its parameters are. Below the functions, call them once to do the task above.

In a warehouse, where the actions are "drive to <bay>", "load <crate>" and "unload <crate>", one of them could be:
${crates.documented}

and a call below it:
${crates.name}(["crate3", "crate5"], "bay1", "bay4")

Answer with all of it in one block:
\`\`\`${fence}
${comment} functions, then calls
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
      id: `learnact-again${suffix}`,
      purpose: 'Shows the error that functions had when they were tried, and asks for all of them again.',
      text: `When it was tried, this happened: {{error}}

Write all of it again, in one \`\`\`${fence} block.`,
    }),
    usage: definePrompt({
      id: `learnact-usage${suffix}`,
      purpose: 'Asks for a worked example that uses the functions.',
      text: `These are the functions:
{{code}}

This is how a task of this kind begins:
{{observation}}

Show how an agent does this task with these functions, and with the plain actions where no function fits. Write what it would do and what it would see, in turn.

In a warehouse, with the function ${crates.name}(crates, ${crates.from}, to), a task that ends with the robot at the gate would be shown like this:
Action: ${crates.name}(["crate3", "crate5"], "bay1", "bay4")
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
      id: `learnact-describe${suffix}`,
      purpose: 'Asks for a description of one function.',
      text: `This is one of the functions:
{{code}}

Tell the agent in one paragraph what {{name}} does, what each parameter is, what has to be so before it is called and what is so afterwards.

For the function ${crates.name}(crates, ${crates.from}, to) of a robot in a warehouse this could read:
Description: Brings crates from one bay to another, one after the other: for each it drives to "${crates.from}", loads the crate, drives to "to" and unloads it there. crates is a list of names as they are shown, such as ["crate3", "crate5"]; ${crates.from} and to are bays, such as "bay1". Before, the robot has to be unloaded and all the crates have to stand in "${crates.from}"; afterwards they and the robot are in "to". Call it once for all crates with the same way to go.

Answer in this form:
Description: <one paragraph>`,
    }),
    revise: definePrompt({
      id: `learnact-revise${suffix}`,
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

Reason: ${crates.name} never drives to "to" before it unloads, so the crate stays in "${crates.from}" and the next one cannot be brought.
Decision: update ${crates.name}
\`\`\`${fence}
${crates.plain}

${crates.name}(["crate3", "crate5"], "bay1", "bay4")
\`\`\`

Reason: ${crates.name} loads every crate in the bay "${crates.from}", but crate5 stood in another bay.
Decision: note ${crates.name}
Note: Call ${crates.name} once for each bay where crates stand, and name only the crates that are there.

Answer in one of these forms:
Reason: <why it failed>
Decision: update {{name}}
\`\`\`${fence}
${comment} the function, or several
\`\`\`

Reason: <why it failed>
Decision: note {{name}}
Note: <what to heed when calling it>`,
    }),
  }
}
