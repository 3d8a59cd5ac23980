import type { ActAnswer, Program, ProgramState } from './program.ts'
import type { readCall } from './read-call.ts'
import type { readFunctions } from './read-functions.ts'

/**
 * Reads generated code, and runs it, each program from its top, on an engine that stands as it stood when it was opened. All
 * that this takes is loaded when a sandbox is opened: most processes never need it.
 */
export interface Sandbox {
  /**
   * Runs a program with the answers known so far, up to its first `act` that has none, its end or its failure. A pure
   * function of its arguments.
   *
   * An `async` program is played to its end: its promises are settled within the same bounds. What a rejected promise says
   * is seen when the program awaits it or ends with it as its last value, as `main()` on the last line does.
   *
   * @throws SandboxTimeout when it outlasts `limits.time`
   * @throws SandboxFault when QuickJS itself breaks
   *
   * @example
   * const program = { code: 'if (act("look").includes("door")) act("go out")', seed: 0 }
   * sandbox.run(program, []) // { type: 'acts', action: 'look' }
   * sandbox.run(program, [{ observation: 'A door.', valid: true }]) // { type: 'acts', action: 'go out' }
   */
  run(program: Program, answers: readonly ActAnswer[]): ProgramState
  readonly readCall: typeof readCall
  readonly readFunctions: typeof readFunctions
}
