import { serveCalls } from '../threads/serve-calls.ts'
import { openEngine } from './guest-engine.ts'
import type { ActAnswer, Program } from './program.ts'
import { runProgram } from './run-program.ts'

/** A thread that runs generated programs, on an engine of its own that stays open. */
const engine = await openEngine()

serveCalls(({ program, answers }: { program: Program; answers: readonly ActAnswer[] }) =>
  runProgram(engine, program, answers),
)
