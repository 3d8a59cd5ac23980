import { randomUUID } from 'node:crypto'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import {
  type ProgramLoss,
  type ProgramOptions,
  ProgramProcess,
} from '../../shared/core/programs/program-process.ts'
import { errorText } from '../env-host/host-log.ts'
import { BackendLostError } from '../env-host/session-backend.ts'
import { capacityAnswerSchema } from './program-messages.ts'

export interface ProgramPoolOptions extends Omit<ProgramOptions, 'lostError'> {
  spare?: number
}

export interface PooledProgram {
  readonly id: string
  readonly process: ProgramProcess
  readonly capacity: number
  readonly listsActions: boolean
  readonly inspects: boolean
  readonly keepsStates: boolean
  held: number
}

/** Losses of shared processes after which sessions share none. A process killed from outside counts half as much. */
const mostLosses = 2

/**
 * The processes of a program. Sessions share them as the program declares, until a shared process is lost: from then on
 * each new session has a process of its own, so that a session that ends its process takes no other along.
 */
export class ProgramPool {
  readonly #options: ProgramPoolOptions
  readonly #spare: number
  readonly #ready = new Set<PooledProgram>()
  readonly #starting = new Set<Promise<PooledProgram>>()
  #waiting = 0
  #capacity = 1
  #stopped = false
  #losses = 0

  constructor(options: ProgramPoolOptions) {
    this.#options = options
    this.#spare = options.spare ?? 1
  }

  /**
   * Takes a process with room for one more session, and counts the session.
   * @throws EspalierError `host_unreachable` when the program cannot be started
   */
  async take(): Promise<PooledProgram> {
    this.#waiting += 1
    try {
      for (;;) {
        const program = this.#reserve()
        if (program) return program
        if (this.#stopped) throw new EspalierError('host_draining', 'This host is about to leave.')
        if (this.#starting.size * this.#roomOf(this.#capacity) < this.#waiting) this.#start()
        await Promise.race(this.#starting)
      }
    } finally {
      this.#waiting -= 1
      this.#fill()
    }
  }

  release(program: PooledProgram): void {
    program.held -= 1
    const empty = [...this.#ready].filter(({ held }) => held === 0)
    if (program.held > 0 || empty.length <= this.#spare) return
    this.#ready.delete(program)
    void program.process.end()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.allSettled(this.#starting)
    await Promise.all(Array.from(this.#ready, ({ process }) => process.end()))
  }

  #reserve(): PooledProgram | undefined {
    for (const program of this.#ready) {
      if (program.held >= this.#roomOf(program.capacity) || !program.process.isAlive) continue
      program.held += 1
      return program
    }
    return undefined
  }

  #roomOf(capacity: number): number {
    return this.#losses < mostLosses ? capacity : 1
  }

  #fill(): void {
    const empty = [...this.#ready].filter(({ held }) => held === 0).length
    if (this.#stopped || empty + this.#starting.size - this.#waiting >= this.#spare) return
    this.#start()
  }

  #start(): void {
    const sharing = { held: 0, isCounted: false }
    const lostError = (message: string, loss: ProgramLoss) => this.#toLostError(message, loss, sharing)
    const starting = this.#describe(new ProgramProcess({ ...this.#options, lostError }), sharing)
    this.#starting.add(starting)
    const { log } = this.#options
    starting.then(
      () => this.#starting.delete(starting),
      (error: unknown) => {
        this.#starting.delete(starting)
        log('warn', 'program.failed', { error: errorText(error) })
      },
    )
  }

  async #describe(process: ProgramProcess, sharing: { held: number }): Promise<PooledProgram> {
    try {
      const described = await process.ask({ op: 'describe' }, capacityAnswerSchema)
      const { sessions, actions, inspects, keeps_states: keepsStates } = described
      const facts = {
        id: randomUUID(),
        process,
        capacity: sessions,
        listsActions: actions,
        inspects,
        keepsStates,
      }
      const program: PooledProgram = Object.assign(sharing, facts)
      this.#capacity = sessions
      this.#ready.add(program)
      void process.ended.then(() => this.#ready.delete(program))
      return program
    } catch (error) {
      await process.end()
      if (!(error instanceof BackendLostError)) throw error
      const { needs = 'What it printed is in the log of the host.' } = this.#options
      throw new EspalierError('host_unreachable', `${error.message} ${needs}`, { cause: error })
    }
  }

  /** A shared process may be lost by the fault of another of its sessions: none is blamed for it. */
  #toLostError(message: string, loss: ProgramLoss, sharing: { held: number; isCounted: boolean }) {
    if (!sharing.isCounted && sharing.held > 1) {
      sharing.isCounted = true
      this.#losses += loss.isKilled ? mostLosses / 2 : mostLosses
    }
    if (!sharing.isCounted) return toOwnLoss(message, loss)
    return new BackendLostError(`${loss.wordless} Several sessions shared it.`)
  }
}

/** A process that exceeds its limits in a step or a reset would exceed them again in another session. */
function toOwnLoss(message: string, { exceeded }: ProgramLoss): BackendLostError {
  if (exceeded !== 'step' && exceeded !== 'reset') return new BackendLostError(message)
  const advice =
    'Correct the program, or declare a larger step_time_limit, reset_time_limit or memory_limit_mb in environments.json, and retry the run.'
  return new BackendLostError(message, new EspalierError('environment_failed', `${message} ${advice}`))
}
