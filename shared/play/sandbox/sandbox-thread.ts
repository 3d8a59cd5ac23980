import { serveCalls } from '../../core/threads/serve-calls.ts'
import { openGuestEngine } from './guest-engine.ts'
import type { ActAnswer, Program } from './program.ts'
import { runGuestProgram } from './run-guest-program.ts'

const engine = await openGuestEngine()

serveCalls(({ program, answers }: { program: Program; answers: readonly ActAnswer[] }) =>
  runGuestProgram(engine, program, answers),
)
