import { extname } from 'node:path'
import { RemoteCallError, ThreadTimeoutError } from '../threads/thread-errors.ts'
import { ThreadPool } from '../threads/thread-pool.ts'
import { type ActAnswer, type Program, type ProgramState, sandboxLimits } from './program.ts'
import { readCall } from './read-call.ts'
import { readFunctions } from './read-functions.ts'
import type { Sandbox } from './sandbox.ts'
import { SandboxFaultError } from './sandbox-fault-error.ts'

/**
 * V8's bounds for a thread. The engine's memory is beside the heap. The stack is as large as that of a process's first thread,
 * so that programs meet its end at the same place on both.
 */
const resourceLimits = { maxOldGenerationSizeMb: 128, stackSizeMb: 1 }

/** The threads of this process that run programs. They start when the first program comes. */
const threads = new ThreadPool<{ program: Program; answers: ActAnswer[] }, ProgramState>({
  // A bundle has the thread as a file beside this code, with the same extension.
  file: new URL(`./sandbox-thread${extname(import.meta.filename)}`, import.meta.url),
  name: 'sandbox',
  resourceLimits,
})

/**
 * Opens the sandbox for one who runs programs. Its threads are shared by the whole process.
 *
 * @param options.caller names who runs programs, such as an episode: callers take turns on the threads
 */
export function openSandbox({ caller }: { caller: string }): Sandbox {
  return {
    async run(program, answers, signal) {
      const limit = program.limits?.time ?? sandboxLimits.time
      // Answers may know more than a program is to see.
      const given = answers.map(({ observation, valid }) => ({ observation, valid }))
      try {
        return await threads.call({ program, answers: given }, { limit, caller, ...(signal && { signal }) })
      } catch (error) {
        if (error instanceof ThreadTimeoutError) throw new SandboxTimeoutError(limit)
        if (error instanceof RemoteCallError) throw new SandboxFaultError(error.message)
        throw error
      }
    },
    readCall,
    readFunctions,
  }
}

/** A program outlasted the wall clock, which is no property of the program: it has no state, and its episode ends as errored. */
export class SandboxTimeoutError extends Error {
  /** Stored in results, so it keeps its first form. */
  override readonly name = 'SandboxTimeout'

  constructor(milliseconds: number) {
    super(`The program ran for more than ${milliseconds} ms.`)
  }
}
