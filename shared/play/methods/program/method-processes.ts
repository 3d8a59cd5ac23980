import { EspalierError } from '../../../core/contracts/errors.ts'
import { ProgramProcess } from '../../../core/programs/program-process.ts'
import { retryKilled } from '../../../core/threads/retry-killed.ts'
import type { MethodScope } from '../method-scope.ts'
import { digestFiles, methodsAnswerSchema } from './method-messages.ts'
import { playFunction } from './play-function.ts'

export interface MethodProgram {
  command: readonly string[]
  file: string
  digest: string
  takesDetails: boolean
}

const mostIdle = 8

const longestOwnEffectSeconds = 600

/**
 * The processes that play methods of one file. Each episode in progress has its own, since a computation blocks its
 * process. A process plays the next episode when its episode has ended.
 */
export class MethodProcesses {
  readonly #program: MethodProgram
  readonly #idle: ProgramProcess[] = []
  readonly #outlive = new WeakMap<ProgramProcess, () => void>()

  constructor(program: MethodProgram) {
    this.#program = program
  }

  async play(method: string, scope: MethodScope, parameters: object): Promise<void> {
    const process = await scope.compute(() => this.#take(scope.ended))
    await playFunction(process, scope, { method, parameters, takesDetails: this.#program.takesDetails })
    this.#giveBack(process)
  }

  async #take(ended: AbortSignal): Promise<ProgramProcess> {
    const process = this.#popIdle() ?? (await retryKilled(() => this.#start()))
    process.hold()
    const end = () => void process.end()
    if (ended.aborted) end()
    else ended.addEventListener('abort', end, { once: true })
    this.#outlive.set(process, () => ended.removeEventListener('abort', end))
    return process
  }

  /** An idle process may have been killed meanwhile, and is then left out: no episode is at fault. */
  #popIdle(): ProgramProcess | undefined {
    for (;;) {
      const process = this.#idle.pop()
      if (process === undefined || process.isAlive) return process
    }
  }

  #giveBack(process: ProgramProcess): void {
    this.#outlive.get(process)?.()
    if (this.#idle.length >= mostIdle || !process.isAlive) void process.end()
    else {
      process.letGo()
      this.#idle.push(process)
    }
  }

  async #start(): Promise<ProgramProcess> {
    const { command, digest, file } = this.#program
    const process = new ProgramProcess({
      command,
      within: { perform: longestOwnEffectSeconds },
      log: () => undefined,
    })
    try {
      const described = await process.ask({ op: 'describe' }, methodsAnswerSchema)
      if (digestFiles(described) === digest) return process
    } catch (error) {
      await process.end()
      throw error
    }
    await process.end()
    throw new EspalierError(
      'method_unavailable',
      `${file} has changed since the service started. Start the service again to play it as it is now.`,
    )
  }
}
