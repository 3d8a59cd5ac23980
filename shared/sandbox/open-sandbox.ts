import { type GuestEngine, openEngine } from './guest-engine.ts'
import { readCall } from './read-call.ts'
import { readFunctions } from './read-functions.ts'
import { runProgram } from './run-program.ts'
import type { Sandbox } from './sandbox.ts'

let opened: Promise<GuestEngine> | null = null

/** Opens the sandbox; QuickJS is loaded once for the process. */
export async function openSandbox(): Promise<Sandbox> {
  opened ??= openEngine()
  const engine = await opened
  return {
    run: (program, answers) => runProgram(engine, program, answers),
    readCall,
    readFunctions,
  }
}
