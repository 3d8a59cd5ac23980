import { openEngine } from '../../shared/sandbox/guest-engine.ts'
import type { ActAnswer, Program, ProgramState } from '../../shared/sandbox/program.ts'
import { runProgram } from '../../shared/sandbox/run-program.ts'

/** Opens the engine on the test's own thread, where programs run at once, and nothing bounds their wall time. */
export async function openHere(): Promise<{
  run(program: Program, answers: readonly ActAnswer[]): ProgramState
}> {
  const engine = await openEngine()
  return { run: (program, answers) => runProgram(engine, program, answers) }
}
