import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import { z } from 'zod'
import { EspalierError } from '../contracts/errors.ts'
import { clipText } from '../contracts/well-formed.ts'
import { boundedCommand, isPythonCommand } from './bounded-command.ts'
import { endSession, sessionVariable } from './end-session.ts'
import { watchMemory } from './memory-watch.ts'
import { withOwnPython } from './own-package.ts'
import { programVariables } from './program-variables.ts'
import { pythonCure } from './python-cure.ts'
import { splitLines } from './split-lines.ts'

/** A question to a program, one JSON object a line. It gets an `id` that the answer repeats. */
export interface ProgramQuestion {
  op: string
  [field: string]: unknown
}

export const programAnswerSchema = z.looseObject({
  id: z.int(),
  error: z.string().optional(),
  code: z.enum(['unknown_task', 'invalid_request', 'state_not_kept', 'internal']).default('internal'),
})

export type ProgramAnswer = z.infer<typeof programAnswerSchema>

/** The program has ended, or was ended because it was late or wrote invalid output. */
export class ProgramLostError extends Error {
  override readonly name = 'ProgramLostError'
  readonly isKilled: boolean

  constructor(message: string, isKilled = false) {
    super(message)
    this.isKilled = isKilled
  }

  get transient(): boolean {
    return this.isKilled
  }
}

export interface ProgramOptions {
  command: readonly string[]
  folder?: string
  startWithin?: number
  answerWithin?: number
  /** Seconds for the answers to some questions, by `op`; other answers have `answerWithin`. */
  within?: Readonly<Record<string, number>>
  /** MiB that it and its children may use together; infinite: no limit. @default 4096 */
  memory?: number
  variables?: NodeJS.ProcessEnv
  needs?: string
  log(level: 'info' | 'warn' | 'error', event: string, fields?: object): void
  /** The error for a question after the program was lost. @default {@link ProgramLostError} */
  lostError?(message: string, lost: ProgramLoss): Error
}

export interface ProgramLoss {
  isKilled: boolean
  /** The question during which it exceeded its memory, or the time in `within`; null: it ended otherwise. */
  exceeded: string | null
  /** The message without the program's last words, which another of its sessions may have printed. */
  wordless: string
}

interface Question {
  op: string
  resolve(answer: ProgramAnswer): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

const usualProgramMebibytes = 4096

/** Signals by which others end a program; a program causes other signals itself, for example by a memory fault. */
const fromOutside = new Set<NodeJS.Signals>(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'])

const commandNotFoundCode = 127

const exitMilliseconds = 2000

const itWasEnded = 'it was ended'

/**
 * A program that answers each JSON line on its input with one on its output. It ends for good once it is late, or
 * writes an invalid answer; its error output goes to the host's log.
 */
export class ProgramProcess {
  readonly #options: Required<Omit<ProgramOptions, 'needs'>>
  readonly #child: ChildProcess
  readonly #questions = new Map<number, Question>()
  readonly ended: Promise<void>
  #asked = 0
  #said = ''
  #lost: string | null = null
  #words = ''
  #exceeded: string | null = null
  #isKilled = false
  readonly #session = randomUUID()

  constructor(options: ProgramOptions) {
    this.#options = {
      folder: process.cwd(),
      startWithin: 60,
      answerWithin: 60,
      within: {},
      memory: usualProgramMebibytes,
      variables: programVariables(),
      lostError: (message, { isKilled }) => new ProgramLostError(message, isKilled),
      ...options,
    }
    const [file = '', ...rest] = boundedCommand(options.command, this.#options.memory)
    this.#child = spawn(file, rest, {
      cwd: this.#options.folder,
      env: { ...withOwnPython(options.command, this.#options.variables), [sessionVariable]: this.#session },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, so that its children end with it.
      detached: true,
    })
    this.ended = this.#watch()
  }

  get isAlive(): boolean {
    // It may have ended before its output did.
    return this.#lost === null && this.#child.exitCode === null && this.#child.signalCode === null
  }

  /**
   * @throws `lostError` when the program has ended or is ended for being late; EspalierError, with the program's
   * code, when it answers with an error, or `internal` when its answer does not match the schema
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

  /** Lets this process end although the program waits: the program then ends by the end of its input. */
  letGo(): void {
    for (const handle of this.#handles) handle.unref()
  }

  hold(): void {
    for (const handle of this.#handles) handle.ref()
  }

  async end(): Promise<void> {
    this.#lose(itWasEnded)
    this.#child.stdin?.end()
    const timer = setTimeout(() => this.#kill(), exitMilliseconds)
    await this.ended
    clearTimeout(timer)
  }

  /** The streams of a child are sockets, though their types do not say so. */
  get #handles(): { ref(): unknown; unref(): unknown }[] {
    const { stderr, stdin, stdout } = this.#child
    const streams = [stdin, stdout, stderr] as (Socket | null)[]
    return [this.#child, ...streams.filter((stream) => stream !== null)]
  }

  get #absent(): string {
    const [file = ''] = this.#options.command
    const cure = isPythonCommand(file) ? pythonCure : 'Install it, or name its path in the command.'
    return `it could not be started: this machine has no program ${file}. ${cure}`
  }

  get #name(): string {
    return `The program ${this.#options.command.join(' ')}`
  }

  #send(request: ProgramQuestion, seconds: number): Promise<ProgramAnswer> {
    if (this.#lost !== null) return Promise.reject(this.#gone())
    // Earlier words belong to earlier questions, which may be another session's.
    if (this.#questions.size === 0) this.#said = ''
    const id = ++this.#asked
    return new Promise((resolve, reject) => {
      const late = () => {
        if (request.op in this.#options.within) this.#exceeded ??= request.op
        this.#abandon(`it did not answer ${request.op} within ${seconds} seconds`)
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
      // Output that a program prints during its work must not end it.
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
    // Its children would otherwise survive, and keep its output open.
    this.#child.once('exit', () => {
      this.#killGroup()
      void endSession(this.#session)
    })
    // It has ended then; the exit handler below reports the reason.
    stdin?.on('error', () => undefined)
    const unwatch = this.#watchMemory()
    if (stdout)
      splitLines(
        stdout,
        (line) => this.#take(line),
        () => this.#abandon('it wrote a line without end'),
      )
    if (stderr) {
      splitLines(stderr, (line) => {
        log('info', 'program.said', { line: clipText(line, 2000) })
        if (line.trim() !== '') this.#said = clipText(line.trim(), 300)
      })
    }
    try {
      const [code, signal] = endOf((await once(this.#child, 'close')) as ProgramEnd)
      unwatch()
      this.#isKilled = signal !== null && fromOutside.has(signal) && this.#lost === null
      if (signal === null && this.#lost === null && this.#said !== '') this.#words = ` (${this.#said})`
      if (code === commandNotFoundCode && this.#said.includes('not found')) this.#lose(this.#absent)
      this.#lose(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`)
      log(this.#lost === itWasEnded ? 'info' : 'warn', 'program.ended', {
        code,
        signal,
        why: `${this.#lost}${this.#words}.`,
      })
    } catch (error) {
      unwatch()
      if (isAbsent(error) && existsSync(this.#options.folder)) this.#lose(this.#absent)
      this.#lose(`it could not be started (${error instanceof Error ? error.message : String(error)})`)
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
        this.#abandon(`it took ${Math.round(used / 2 ** 20)} MB of memory, and may take ${memory}`)
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
    const lost = `${this.#name} is gone: ${this.#lost?.replace(/\.$/, '')}`
    const loss = { isKilled: this.#isKilled, exceeded: this.#exceeded, wordless: `${lost}.` }
    return this.#options.lostError(`${lost}${this.#words}.`, loss)
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

type ProgramEnd = [code: number | null, signal: NodeJS.Signals | null]

/** Reads a shell's exit code for a child that a signal ended, 128 and its number: a command may be a shell script. */
function endOf([code, signal]: [number | null, NodeJS.Signals | null]): [
  number | null,
  NodeJS.Signals | null,
] {
  if (signal !== null || code === null) return [code, signal]
  const sent = [...fromOutside].find((name) => code === 128 + constants.signals[name])
  return sent === undefined ? [code, null] : [null, sent]
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
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
