import { extname } from 'node:path'
import { RemoteCallError, ThreadTimeoutError } from '../../core/threads/thread-errors.ts'
import { ThreadPool } from '../../core/threads/thread-pool.ts'
import { type ActAnswer, type Program, type ProgramState, sandboxLimits } from './program.ts'
import { readPythonCall, readPythonFunctions, runPython } from './python-programs.ts'
import { readCall } from './read-call.ts'
import { readFunctions } from './read-functions.ts'
import type { Sandbox } from './sandbox.ts'
import { SandboxFaultError } from './sandbox-fault-error.ts'

/**
 * V8's limits for a thread. The engine's memory is outside the heap. The stack is as large as that of a process's
 * first thread, so that programs reach its end at the same point on both.
 */
const resourceLimits = { maxOldGenerationSizeMb: 128, stackSizeMb: 1 }

const threads = new ThreadPool<{ program: Program; answers: ActAnswer[] }, ProgramState>({
  // A bundle has the thread as a file beside this code, with the same extension.
  file: new URL(`./sandbox-thread${extname(import.meta.filename)}`, import.meta.url),
  name: 'sandbox',
  resourceLimits,
})

/**
 * Opens the sandbox for one caller. The whole process shares its threads.
 *
 * @param options.caller names the caller, such as an episode: callers take turns on the threads
 */
export function openSandbox({ caller }: { caller: string }): Sandbox {
  return {
    async run(program, answers, signal) {
      const limit = program.limits?.time ?? sandboxLimits.time
      // Answers may hold more than a program should see.
      const given = answers.map(({ observation, valid }) => ({ observation, valid }))
      if (program.language === 'python') {
        return runPython(program, given, (time) => new SandboxTimeoutError(time))
      }
      try {
        return await threads.call({ program, answers: given }, { limit, caller, ...(signal && { signal }) })
      } catch (error) {
        if (error instanceof ThreadTimeoutError) throw new SandboxTimeoutError(limit)
        if (error instanceof RemoteCallError) throw new SandboxFaultError(error.message)
        throw error
      }
    },
    readCall: (text, names, language) =>
      language === 'python' ? readPythonCall(text, names) : readCall(text, names),
    readFunctions: (code, language) =>
      language === 'python' ? readPythonFunctions(code) : readFunctions(code),
  }
}

/**
 * A program exceeded the wall-clock limit, which depends on the machine: it has no state, and its episode ends as
 * errored.
 */
export class SandboxTimeoutError extends Error {
  /** Stored in results, so the name never changes. */
  override readonly name = 'SandboxTimeout'

  constructor(milliseconds: number) {
    super(`The program ran for more than ${milliseconds} ms.`)
  }
}
