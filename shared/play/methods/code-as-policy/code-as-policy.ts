import { z } from 'zod'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { LearnedAction } from '../../../core/contracts/library.ts'
import type { Message } from '../../../core/contracts/message.ts'
import { type ProgramLanguage, programLanguageSchema } from '../../../core/contracts/program-language.ts'
import type { Program } from '../../sandbox/program.ts'
import { toProgram } from '../../sandbox/to-program.ts'
import { libraryLanguage } from '../learnact/draft-action.ts'
import { shownActions } from '../learnact/learnact-parameters.ts'
import type { Method } from '../method.ts'
import type { MethodScope } from '../method-scope.ts'
import { readProgram } from '../programs/read-program.ts'
import { programSeed, runProgram } from '../programs/run-program.ts'
import { showExample } from '../programs/show-example.ts'
import { knowledgePrompts } from '../prompts/knowledge-prompts.ts'
import { programDialects, programPromptsBy, programTokens } from '../prompts/program-prompts.ts'
import { knowEarlier } from '../training-parameters.ts'

const parameters = z.strictObject({
  tries: z.int().min(1).max(10).default(3).describe('Maximum number of attempts to get a program that runs.'),
  max_actions: z
    .int()
    .min(1)
    .max(1000)
    .default(200)
    .describe('Maximum number of actions of the program. It is separate from an agent’s limit of steps.'),
  language: programLanguageSchema
    .optional()
    .describe(
      'Language of the program and of the library’s actions: JavaScript by default, or Python as in LearnAct, which each worker needs installed.',
    ),
  library: z
    .string()
    .optional()
    .describe('Library of an earlier run: learned functions that the program may call.'),
})

export const codeAsPolicy: Method<z.infer<typeof parameters>> = {
  id: 'code-as-policy',
  description: 'The model writes one program for the whole task, which is run once.',
  source:
    'Liang et al. 2023, Code as Policies (arXiv 2209.07753), with hierarchical code generation, as the baseline of Zhao et al. 2024, LearnAct (arXiv 2402.15809)',
  parameters,
  prompts: [
    ...Object.values(programPromptsBy).flatMap((each) => Object.values(each)),
    knowledgePrompts.functions,
  ],
  branches: false,
  runsPrograms: true,
  horizon: () => ({ name: 'max_actions', beyond: 0 }),
  extendable: () => [],
  answer: () => 'last',
  system: ({ language = 'javascript' }, book, guide, { functions = '' }) =>
    book.fill(programPromptsBy[language].policy, {
      rules: guide.rules,
      functions,
      example: showExample(guide, language),
    }),
  sharing: ({ library }) =>
    library === undefined ? null : knowEarlier({ kind: 'library', param: 'library', id: library }),
  effort: ({ tries, library }) => ({
    expected: [1],
    at_most: Array.from({ length: tries }, () => 1),
    answer_tokens: programTokens,
    ...(library !== undefined && { notes: shownActions({ rounds: 2 }) }),
    side_by_side: 1,
    reason: 'one program, that can be run as it is',
  }),
  async play(scope, { language = 'javascript', tries, max_actions }) {
    refuseOther(scope.actions, language)
    const { root } = scope.tree
    const { message, effect, code, program, problem } = await writeProgram(scope, {
      language,
      tries,
      mostActs: max_actions,
    })
    const fork = scope.fork(root, effect)
    const proposal = { action: code ?? '', message, effect }
    if (program === null) {
      scope.land(root, proposal, { fork, keep: false, observation: problem, valid: false })
      return
    }
    const ending = await runProgram(scope, fork, program)
    const { observation } = fork.stateResult
    scope.land(root, proposal, {
      fork,
      keep: true,
      observation:
        ending.type === 'ended' ? observation : `${observation}\nThe program stopped: ${ending.message}`,
      valid: ending.type === 'ended',
    })
  },
}

interface ProgramTerms {
  language: ProgramLanguage
  mostActs: number
}

function refuseOther(actions: readonly LearnedAction[], language: ProgramLanguage): void {
  const theirs = actions.length === 0 ? language : libraryLanguage(actions)
  if (theirs === language) return
  throw new EspalierError(
    'invalid_request',
    `The functions of the library are written in ${programDialects[theirs].title}. Set the method's language to "${theirs}".`,
    { param: 'method.language' },
  )
}

interface WrittenProgram {
  message: string
  effect: string
  code: string | null
  program: Program | null
  problem: string
}

async function writeProgram(
  scope: MethodScope,
  { language, tries, mostActs }: ProgramTerms & { tries: number },
): Promise<WrittenProgram> {
  const conversation: Message[] = [...scope.tree.toTree().messages]
  for (let attempt = 0; ; attempt += 1) {
    const effect = `program/${attempt}`
    const [message = ''] = await scope.ask({
      key: effect,
      role: 'policy',
      messages: [...conversation],
      answerTokens: programTokens,
    })
    const written = await readAnswer(scope, message, effect, { language, mostActs })
    if (written.program !== null) return written
    scope.noteUnread(effect, 1)
    if (attempt + 1 >= tries) return written
    const repair = scope.prompts.fill(programPromptsBy[language].repair, { error: written.problem })
    conversation.push({ role: 'assistant', content: message }, { role: 'user', content: repair })
  }
}

async function readAnswer(
  scope: MethodScope,
  message: string,
  effect: string,
  { language, mostActs }: ProgramTerms,
): Promise<WrittenProgram> {
  const { fence, title } = programDialects[language]
  const code = readProgram(message, language)
  const answer = { message, effect, code }
  if (code === null)
    return { ...answer, program: null, problem: `There is no \`\`\`${fence} block in the answer.` }
  const seed = programSeed(scope, effect)
  const program = toProgram({
    functions: scope.actions,
    statement: code,
    language,
    seed,
    limits: { mostActs },
  })
  const state = await scope.sandbox.run(program, [])
  if (state.type !== 'failed' || state.reason !== 'syntax') return { ...answer, program, problem: '' }
  return { ...answer, program: null, problem: `It is no ${title}: ${state.message}.` }
}
