import type { Message } from '../../../core/contracts/message.ts'
import type { Program } from '../../sandbox/program.ts'
import { toProgram } from '../../sandbox/to-program.ts'
import type { MethodScope } from '../method-scope.ts'
import { readProgram } from '../programs/read-program.ts'
import { programSeed } from '../programs/run-program.ts'
import { programPrompts, programTokens } from '../prompts/program-prompts.ts'

export interface WrittenProgram {
  message: string
  effect: string
  code: string | null
  program: Program | null
  problem: string
}

/**
 * Asks for a program. After an answer without runnable code, asks again and names the fault.
 *
 * @param tries - maximum number of answers
 * @param mostActs - environment steps that the program may take
 */
export async function writeProgram(
  scope: MethodScope,
  { tries, mostActs }: { tries: number; mostActs: number },
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
    const written = await readAnswer(scope, message, { effect, mostActs })
    if (written.program !== null) return written
    scope.noteUnread(effect, 1)
    if (attempt + 1 >= tries) return written
    const repair = scope.prompts.fill(programPrompts.repair, { error: written.problem })
    conversation.push({ role: 'assistant', content: message }, { role: 'user', content: repair })
  }
}

async function readAnswer(
  scope: MethodScope,
  message: string,
  { effect, mostActs }: { effect: string; mostActs: number },
): Promise<WrittenProgram> {
  const code = readProgram(message)
  const answer = { message, effect, code }
  if (code === null) return { ...answer, program: null, problem: 'There is no ```js block in the answer.' }
  const seed = programSeed(scope, effect)
  const program = { ...toProgram({ functions: scope.actions, statement: code, seed }), limits: { mostActs } }
  const state = await scope.sandbox.run(program, [])
  if (state.type !== 'failed' || state.reason !== 'syntax') return { ...answer, program, problem: '' }
  return { ...answer, program: null, problem: `It is no JavaScript: ${state.message}.` }
}
