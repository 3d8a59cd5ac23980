import type { ActAnswer, Program, ProgramState } from './program.ts'
import type { readCall } from './read-call.ts'
import type { readFunctions } from './read-functions.ts'

/**
 * Reads generated code, and runs it, each program from its top, on an engine that stands as it stood when it was opened.
 * Programs run on threads of their own: however long one takes, the calling thread goes on, and a thread that outlasts the
 * limit is ended with its program.
 */
export interface Sandbox {
  /**
   * Runs a program with the answers known so far, up to its first `act` that has none, its end or its failure. A pure
   * function of its arguments.
   *
   * An `async` program is played to its end: its promises are settled within the same bounds. What a rejected promise says
   * is seen when the program awaits it or ends with it as its last value, as `main()` on the last line does.
   *
   * @param signal calls the run off
   * @throws SandboxTimeoutError when it outlasts `limits.time`; waiting for a thread is not counted
   * @throws SandboxFaultError when QuickJS itself breaks
   * @throws ThreadUnavailableError when no thread can be started: programs never run on the calling thread
   *
   * @example
   * const program = { code: 'if (act("look").includes("door")) act("go out")', seed: 0 }
   * await sandbox.run(program, []) // { type: 'acts', action: 'look' }
   * await sandbox.run(program, [{ observation: 'A door.', valid: true }]) // { type: 'acts', action: 'go out' }
   */
  run(program: Program, answers: readonly ActAnswer[], signal?: AbortSignal): Promise<ProgramState>
  readonly readCall: typeof readCall
  readonly readFunctions: typeof readFunctions
}
