import type { ProgramLanguage } from '../../core/contracts/program-language.ts'
import type { Program, SandboxLimits } from './program.ts'

export interface ProgramParts {
  functions: readonly { code: string }[]
  statement: string
  calls?: string
  language?: ProgramLanguage
  seed: number
  limits?: Partial<SandboxLimits>
}

/**
 * Joins functions and one statement into a program.
 *
 * @example
 * toProgram({ functions: [{ code: 'function go(room) { act("go to " + room) }' }], statement: 'go("kitchen")', seed: 0 })
 */
export function toProgram({ functions, statement, ...rest }: ProgramParts): Program {
  return { code: [...functions.map(({ code }) => code), statement].join('\n\n'), ...rest }
}
