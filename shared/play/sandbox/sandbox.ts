import type { ProgramLanguage } from '../../core/contracts/program-language.ts'
import type { ActAnswer, Program, ProgramState } from './program.ts'
import type { CodeCall } from './read-call.ts'
import type { CodeReading } from './read-functions.ts'

/**
 * Reads generated code, and runs each program from its top on an engine in its initial state. Programs run on their
 * own threads, or in Python in processes of their own: the calling thread continues, and a thread or process that
 * exceeds the limit ends with its program.
 */
export interface Sandbox {
  /**
   * Runs a program with the answers known so far, up to its first `act` without one, its end or its failure. A pure
   * function of its arguments.
   *
   * An `async` program runs to its end: its promises settle within the same limits. A promise's rejection shows when
   * the program awaits it or ends with it as its last value, as `main()` on the last line does.
   *
   * @param signal cancels the run
   * @throws SandboxTimeoutError when it exceeds `limits.time`; waiting for a thread does not count
   * @throws SandboxFaultError when QuickJS itself fails
   * @throws ThreadUnavailableError when no thread can start: programs never run on the calling thread
   * @example
   * const program = { code: 'if (act("look").includes("door")) act("go out")', seed: 0 }
   * await sandbox.run(program, []) // { type: 'acts', action: 'look' }
   * await sandbox.run(program, [{ observation: 'A door.', valid: true }]) // { type: 'acts', action: 'go out' }
   */
  run(program: Program, answers: readonly ActAnswer[], signal?: AbortSignal): Promise<ProgramState>
  readCall(
    text: string,
    names: readonly string[],
    language?: ProgramLanguage,
  ): CodeCall | null | Promise<CodeCall | null>
  readFunctions(code: string, language?: ProgramLanguage): CodeReading | Promise<CodeReading>
}
