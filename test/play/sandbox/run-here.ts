import { openGuestEngine } from '../../../shared/play/sandbox/guest-engine.ts'
import type { ActAnswer, Program, ProgramState } from '../../../shared/play/sandbox/program.ts'
import { runGuestProgram } from '../../../shared/play/sandbox/run-guest-program.ts'

/** Opens the engine on the test's own thread, where programs run at once, and nothing bounds their wall time. */
export async function openHere(): Promise<{
  run(program: Program, answers: readonly ActAnswer[]): ProgramState
}> {
  const engine = await openGuestEngine()
  return { run: (program, answers) => runGuestProgram(engine, program, answers) }
}
