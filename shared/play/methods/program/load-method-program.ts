import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { ProgramLostError, ProgramProcess } from '../../../core/programs/program-process.ts'
import { isKilled, retryKilled } from '../../../core/threads/retry-killed.ts'
import type { DigestedModule } from '../added/digest-module.ts'
import type { MethodDeclaration } from '../define-method.ts'
import { renderAgentPrompt } from '../prompts/agent-prompt.ts'
import { agents } from '../prompts/agents.ts'
import {
  digestFiles,
  type MethodsAnswer,
  methodsAnswerSchema,
  type ProgramMethod,
  takesDetails,
} from './method-messages.ts'
import { MethodProcesses } from './method-processes.ts'

/**
 * Loads the methods that a Python file defines with the package's `espalier.methods`. The version of their code
 * covers the file and its imports from its folder. `ESPALIER_PYTHON` names the Python that runs it.
 *
 * @param file an absolute path
 * @param where names it in messages
 * @throws EspalierError `invalid_request` if it defines none, raises, or Python lacks the package; ProgramLostError
 * if its process is killed again and again
 */
export async function loadMethodProgram(
  file: string,
  where: string,
): Promise<DigestedModule & { found: MethodDeclaration[] }> {
  if (!existsSync(file)) throw refusal(where, 'there is no such file.')
  const command = [process.env.ESPALIER_PYTHON ?? 'python3', '-m', 'espalier.methods', file]
  const described = await describe(command, where)
  const digest = digestFiles(described)
  const processes = new MethodProcesses({
    command,
    file: where,
    digest,
    takesDetails: takesDetails(described),
  })
  const found = described.methods.map((method) =>
    toDeclaration(method, (scope, parameters) => processes.play(method.id, scope, parameters)),
  )
  const files = described.files.map(({ name }) => resolve(dirname(file), name))
  return { digest, files, found }
}

async function describe(command: readonly string[], where: string): Promise<MethodsAnswer> {
  try {
    return await retryKilled(async () => {
      const program = new ProgramProcess({ command, log: () => undefined })
      try {
        return await program.ask({ op: 'describe' }, methodsAnswerSchema)
      } finally {
        await program.end()
      }
    })
  } catch (error) {
    if (isKilled(error) || (!EspalierError.isInstance(error) && !(error instanceof ProgramLostError)))
      throw error
    throw refusal(where, error.message)
  }
}

export function toDeclaration(described: ProgramMethod, play: MethodDeclaration['play']): MethodDeclaration {
  const { answer, extendable, id, prompt, roles, shares_notes, ...stated } = described
  const agent = agents[prompt]
  return {
    id,
    ...stated,
    prompts: [agent.template],
    system: (_, book, guide, knowledge) => renderAgentPrompt(agent, book, guide, knowledge),
    answer: () => answer,
    extendable: () => extendable,
    roles: () => roles,
    ...(shares_notes !== null && {
      sharing: () => ({
        writes: 'memory' as const,
        reads: null,
        learning: null,
        roundSize: shares_notes.round_size,
        live: false,
      }),
    }),
    play,
  }
}

function refusal(where: string, reason: string): EspalierError {
  return new EspalierError('invalid_request', `${where} cannot be loaded: ${reason}`)
}
