import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { z } from 'zod'
import { EspalierError } from '../contracts/errors.ts'
import { clipText } from '../contracts/well-formed.ts'
import { boundedCommand } from './bounded-command.ts'
import { endSession, sessionVariable } from './end-session.ts'
import { watchMemory } from './memory-watch.ts'
import { programVariables } from './program-variables.ts'
import { splitLines } from './split-lines.ts'

/** What a program is asked, one JSON object a line, which gets an `id` that the answer repeats. */
export interface ProgramQuestion {
  op: string
  [field: string]: unknown
}

/** Every answer of a program, of which the rest depends on what was asked. */
export const programAnswerSchema = z.looseObject({
  id: z.int(),
  error: z.string().optional(),
  code: z.enum(['unknown_task', 'invalid_request', 'internal']).default('internal'),
})

export type ProgramAnswer = z.infer<typeof programAnswerSchema>

/** The program has ended, or was ended for being late or for what it wrote. */
export class ProgramLostError extends Error {
  override readonly name = 'ProgramLostError'
  /** It was killed from outside: nothing of the program is at fault. */
  readonly isKilled: boolean

  constructor(message: string, isKilled = false) {
    super(message)
    this.isKilled = isKilled
  }

  /** The same may go well in another process. */
  get transient(): boolean {
    return this.isKilled
  }
}

export interface ProgramOptions {
  /** The program and its arguments. */
  command: readonly string[]
  /** Where it is started. @default the folder of this process */
  folder?: string
  /** How long it may take to start and describe itself. Seconds. */
  startWithin?: number
  /** How long any other answer may take. Seconds. */
  answerWithin?: number
  /** Seconds of the answers to some questions, by `op`; other answers have `answerWithin`. */
  within?: Readonly<Record<string, number>>
  /** MiB that it and what it starts may take together; infinite: no bound. @default 4096 */
  memory?: number
  /** @default those of `programVariables` */
  variables?: NodeJS.ProcessEnv
  /** What it needs to run, for who has to see to it. */
  needs?: string
  log(level: 'info' | 'warn' | 'error', event: string, fields?: object): void
  /** The error of a question that the program cannot answer any more. @default {@link ProgramLostError} */
  lostError?(message: string, lost: ProgramLoss): Error
}

/** How a program was lost. */
export interface ProgramLoss {
  /** Killed from outside. */
  isKilled: boolean
  /** The question during which it exceeded its memory, or the time that `within` gives; null: it ended otherwise. */
  exceeded: string | null
}

interface Question {
  op: string
  resolve(answer: ProgramAnswer): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

/** MiB that a program may take unless it is declared otherwise. */
export const usualProgramMemory = 4096

/** Signals by which others end a program; it brings the rest on itself, as by a fault in memory. */
const fromOutside = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'])

/** How long a program may take to leave when its input has ended. Milliseconds. */
const leaveWithin = 2000

/**
 * A program that answers one JSON object a line on its output to each that it reads on its input. It has ended for good once
 * it is late, or writes what cannot be an answer; its error output goes to the host's log.
 */
export class ProgramProcess {
  readonly #options: Required<Omit<ProgramOptions, 'needs'>>
  readonly #child: ChildProcess
  readonly #questions = new Map<number, Question>()
  /** Resolves once the process has ended. */
  readonly ended: Promise<void>
  #asked = 0
  /** The last line of its error output. */
  #said = ''
  /** Why it can be asked no more. */
  #lost: string | null = null
  /** The question during which it exceeded a limit. */
  #exceeded: string | null = null
  #isKilled = false
  readonly #session = randomUUID()

  constructor(options: ProgramOptions) {
    this.#options = {
      folder: process.cwd(),
      startWithin: 60,
      answerWithin: 60,
      within: {},
      memory: usualProgramMemory,
      variables: programVariables(),
      lostError: (message, { isKilled }) => new ProgramLostError(message, isKilled),
      ...options,
    }
    const [file = '', ...rest] = boundedCommand(options.command, this.#options.memory)
    this.#child = spawn(file, rest, {
      cwd: this.#options.folder,
      env: { ...this.#options.variables, [sessionVariable]: this.#session },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that what it starts ends with it.
      detached: true,
    })
    this.ended = this.#watch()
  }

  get isAlive(): boolean {
    return this.#lost === null
  }

  /**
   * @throws `lostError` when the program has ended or is ended for being late; EspalierError, with the code that the program
   * gave, when it answers with an error, or `internal` when its answer has not the shape that was asked for
   */
  async ask<Schema extends z.ZodType>(request: ProgramQuestion, schema: Schema): Promise<z.output<Schema>> {
    const { startWithin, answerWithin, within } = this.#options
    const usual = request.op === 'describe' ? startWithin : answerWithin
    const answer = await this.#send(request, within[request.op] ?? usual)
    if (answer.error !== undefined) {
      throw new EspalierError(answer.code, `${this.#name} answered with an error: ${answer.error}`)
    }
    const parsed = schema.safeParse(answer)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw new EspalierError(
      'internal',
      `${this.#name} answered ${request.op} with what is not its shape: ${issue?.path.join('.')}: ${issue?.message}.`,
    )
  }

  /** Lets this process end though the program waits: it then ends by the end of its input. */
  letGo(): void {
    for (const handle of this.#handles) handle.unref()
  }

  /** Takes {@link letGo} back. */
  hold(): void {
    for (const handle of this.#handles) handle.ref()
  }

  /** Lets the program leave by the end of its input, and ends it when it does not. */
  async end(): Promise<void> {
    this.#lose('it was ended.')
    this.#child.stdin?.end()
    const timer = setTimeout(() => this.#kill(), leaveWithin)
    await this.ended
    clearTimeout(timer)
  }

  /** The streams of a child are sockets, though their types do not say so. */
  get #handles(): { ref(): unknown; unref(): unknown }[] {
    const { stderr, stdin, stdout } = this.#child
    const streams = [stdin, stdout, stderr] as (Socket | null)[]
    return [this.#child, ...streams.filter((stream) => stream !== null)]
  }

  get #name(): string {
    return `The program ${this.#options.command.join(' ')}`
  }

  #send(request: ProgramQuestion, seconds: number): Promise<ProgramAnswer> {
    if (this.#lost !== null) return Promise.reject(this.#gone())
    const id = ++this.#asked
    return new Promise((resolve, reject) => {
      const late = () => {
        if (request.op in this.#options.within) this.#exceeded ??= request.op
        this.#abandon(`it did not answer ${request.op} within ${seconds} seconds.`)
      }
      this.#questions.set(id, { op: request.op, resolve, reject, timer: setTimeout(late, seconds * 1000) })
      this.#child.stdin?.write(`${JSON.stringify({ id, ...request })}\n`)
    })
  }

  #take(line: string): void {
    const answer = parseAnswer(line)
    const question = answer && this.#questions.get(answer.id)
    if (!answer || !question) {
      if (answer === null && line.startsWith('{')) {
        this.#abandon(
          `it wrote a line that is no answer, such as one with NaN, which is no JSON: ${clipText(line, 200)}`,
        )
        return
      }
      // What a program prints while it is worked on must not end it.
      this.#options.log('warn', 'program.printed', { line: clipText(line, 500) })
      return
    }
    this.#questions.delete(answer.id)
    clearTimeout(question.timer)
    question.resolve(answer)
  }

  async #watch(): Promise<void> {
    const { stdin, stdout, stderr } = this.#child
    const { log } = this.#options
    // What it started would else live on, and keep its output open.
    this.#child.once('exit', () => {
      this.#killGroup()
      void endSession(this.#session)
    })
    // It has ended then, which is handled below, with how.
    stdin?.on('error', () => undefined)
    const unwatch = this.#watchMemory()
    if (stdout)
      splitLines(
        stdout,
        (line) => this.#take(line),
        () => this.#abandon('it wrote a line without end.'),
      )
    if (stderr) {
      splitLines(stderr, (line) => {
        log('info', 'program.said', { line: clipText(line, 2000) })
        if (line.trim() !== '') this.#said = clipText(line.trim(), 300)
      })
    }
    try {
      const [code, signal] = await once(this.#child, 'close')
      unwatch()
      this.#isKilled = signal !== null && fromOutside.has(signal) && this.#lost === null
      const said = this.#said === '' ? '' : ` (${this.#said})`
      this.#lose(signal === null ? `it ended with code ${code}${said}.` : `it was ended by ${signal}.`)
      log(this.#lost === 'it was ended.' ? 'info' : 'warn', 'program.ended', {
        code,
        signal,
        why: this.#lost,
      })
    } catch (error) {
      unwatch()
      this.#lose(`it could not be started (${error instanceof Error ? error.message : String(error)}).`)
      log('error', 'program.failed', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      })
    }
  }

  #watchMemory(): () => void {
    const { pid } = this.#child
    const { memory } = this.#options
    if (pid === undefined || !Number.isFinite(memory)) return () => undefined
    return watchMemory({
      pid,
      limit: memory * 2 ** 20,
      onExceeded: (used) => {
        const [asked] = this.#questions.values()
        this.#exceeded ??= asked?.op ?? null
        this.#abandon(`it took ${Math.round(used / 2 ** 20)} MB of memory, and may take ${memory}.`)
      },
    })
  }

  #abandon(why: string): void {
    this.#lose(why)
    this.#kill()
  }

  #lose(why: string): void {
    this.#lost ??= why
    const questions = [...this.#questions.values()]
    this.#questions.clear()
    for (const { reject, timer } of questions) {
      clearTimeout(timer)
      reject(this.#gone())
    }
  }

  #gone(): Error {
    const loss = { isKilled: this.#isKilled, exceeded: this.#exceeded }
    return this.#options.lostError(`${this.#name} is gone: ${this.#lost}`, loss)
  }

  #kill(): void {
    const { exitCode, signalCode } = this.#child
    if (exitCode === null && signalCode === null) this.#killGroup()
  }

  #killGroup(): void {
    const { pid } = this.#child
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch (error) {
      // The group has no process left.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

function parseAnswer(line: string): ProgramAnswer | null {
  try {
    const parsed = programAnswerSchema.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
