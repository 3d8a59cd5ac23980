import { createConnection, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { splitLines } from '../../core/programs/split-lines.ts'
import type { Caller } from './bridge-file.ts'

const answerSchema = z.looseObject({
  id: z.int(),
  error: z.string().optional(),
  code: z.string().optional(),
})

const knownCodes = ['unknown_task', 'state_not_kept'] as const

type BridgeAnswer = z.infer<typeof answerSchema>

/** Milliseconds between tries to reach the process, as it may be starting again. */
const pauses = [0, 250, 500, 1000, 2000]

/** The process is gone: its run pauses, and no episode is at fault. */
export class CallerGoneError extends EspalierError {
  readonly failure = 'refused'
  readonly transient = true

  constructor({ id, param, caller }: Played & { caller: string }) {
    const message = `The process that plays ${id} (${caller}) is gone or does not answer. Start it again.`
    super('host_unreachable', message, { param })
  }
}

interface Played {
  id: string
  param: 'environment' | 'method.id'
}

/** The way to the process that plays code now: another one may have taken it over since. */
export class Bridge {
  readonly #played: Played
  readonly #read: () => Promise<Caller | null>
  #link: BridgeLink | null = null

  constructor(played: Played, read: () => Promise<Caller | null>) {
    this.#played = played
    this.#read = read
  }

  /**
   * Returns the connection that all share.
   * @throws CallerGoneError if nobody takes the connection
   */
  reach(): Promise<BridgeLink> {
    return this.#try((file) => {
      if (this.#link?.token !== file.token || !this.#link.isAlive)
        this.#link = new BridgeLink(this.#played, file)
      return this.#link
    })
  }

  /**
   * Opens a connection for one user alone, which closes it.
   * @throws CallerGoneError if nobody takes the connection
   */
  open(): Promise<BridgeLink> {
    return this.#try((file) => new BridgeLink(this.#played, file))
  }

  async #try(connect: (file: Caller) => BridgeLink): Promise<BridgeLink> {
    let caller = 'no program'
    for (const pause of pauses) {
      if (pause > 0) await delay(pause)
      const file = await this.#read()
      if (file === null) continue
      caller = file.caller
      const link = connect(file)
      if (await link.opened) return link
    }
    throw new CallerGoneError({ ...this.#played, caller })
  }
}

/**
 * A connection to a process that plays code of its own. It speaks the protocol of programs (docs/own-environments.md)
 * after a line with its token. Calls have no time limit, because a person may stand at a breakpoint.
 */
export class BridgeLink {
  readonly token: string
  readonly opened: Promise<boolean>
  readonly #played: Played & { caller: string }
  readonly #socket: Socket
  readonly #waiting = new Map<number, { resolve(answer: BridgeAnswer): void; reject(error: unknown): void }>()
  #asked = 0
  #isLost = false

  constructor(played: Played, { caller, port, token }: Caller) {
    this.token = token
    this.#played = { ...played, caller }
    this.#socket = createConnection({ host: '127.0.0.1', port, noDelay: true })
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.opened = promise
    this.#waiting.set(0, { resolve: () => resolve(true), reject: () => resolve(false) })
    // The connection closes next.
    this.#socket.on('error', () => undefined)
    this.#socket.once('close', () => this.#lose())
    splitLines(this.#socket, (line) => this.#take(line))
    this.#socket.write(`${JSON.stringify({ token })}\n`)
    void promise.then(() => this.#rest())
  }

  get isAlive(): boolean {
    return !this.#isLost
  }

  close(): void {
    this.#socket.destroy()
  }

  /** @throws CallerGoneError; EspalierError `environment_failed` with the environment's words, or `unknown_task` */
  async ask<Schema extends z.ZodType>(
    question: { op: string; [field: string]: unknown },
    schema: Schema,
    signal?: AbortSignal,
  ): Promise<z.output<Schema>> {
    const answer = await this.#send(question, signal)
    if (answer.error !== undefined) {
      const code = knownCodes.find((known) => known === answer.code) ?? 'environment_failed'
      throw new EspalierError(
        code,
        `${this.#played.id} answered ${question.op} with an error: ${answer.error}`,
      )
    }
    const parsed = schema.safeParse(answer)
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const fault = `${issue?.path.join('.')}: ${issue?.message}`
    throw new EspalierError(
      'environment_failed',
      `${this.#played.id} answered ${question.op} with another shape: ${fault}.`,
    )
  }

  async #send(question: object, signal?: AbortSignal): Promise<BridgeAnswer> {
    signal?.throwIfAborted()
    if (this.#isLost) throw new CallerGoneError(this.#played)
    const id = ++this.#asked
    const { promise, resolve, reject } = Promise.withResolvers<BridgeAnswer>()
    this.#waiting.set(id, { resolve, reject })
    const abort = () => reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    this.#socket.ref()
    this.#write(`${JSON.stringify({ id, ...question })}\n`)
    try {
      return await promise
    } finally {
      this.#waiting.delete(id)
      signal?.removeEventListener('abort', abort)
      this.#rest()
    }
  }

  #write(line: string): void {
    if (this.#socket.writableCorked === 0) {
      this.#socket.cork()
      process.nextTick(() => this.#socket.uncork())
    }
    this.#socket.write(line)
  }

  /** Lets this process end while no answer is awaited. */
  #rest(): void {
    this.#waiting.delete(0)
    if (this.#waiting.size === 0) this.#socket.unref()
  }

  #take(line: string): void {
    const { data } = answerSchema.safeParse(parse(line))
    if (data !== undefined) this.#waiting.get(data.id)?.resolve(data)
  }

  #lose(): void {
    this.#isLost = true
    const gone = new CallerGoneError(this.#played)
    for (const { reject } of this.#waiting.values()) reject(gone)
    this.#waiting.clear()
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
