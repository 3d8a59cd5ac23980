import { availableParallelism } from 'node:os'
import type { ResourceLimits } from 'node:worker_threads'
import { type Carrier, startProcess, startThread } from './carrier.ts'
import { FairQueue } from './fair-queue.ts'
import type { ThreadAnswer, ThreadMessage } from './serve-calls.ts'
import {
  RemoteCallError,
  ThreadLostError,
  ThreadTimeoutError,
  ThreadUnavailableError,
} from './thread-errors.ts'

/** More threads would cost memory on large machines and gain little: a call is short. */
const mostThreads = 8
const usualStart = 60_000

export interface ThreadPoolOptions {
  file: URL
  name: string
  /** Maximum threads. @default the cores of the machine, at most 8 */
  size?: number
  /** Maximum threads of one caller, so that its slow calls leave room for others. @default all */
  perCaller?: number
  /**
   * V8's limits for each thread. A thread that exceeds its heap gradually is ended together with its call; a single
   * allocation beyond it ends the whole process.
   */
  resourceLimits?: ResourceLimits
  /**
   * Runs each thread as a process, with its own memory and its own end: for code without other limits. Its module
   * calls `endWithParent`. A call takes about 0.1 ms instead of 0.05.
   */
  process?: {
    memory: number
    variables?: NodeJS.ProcessEnv
  }
  /** Milliseconds for a thread to load its module. @default 60,000 */
  startLimit?: number
  /** Milliseconds after which an idle thread ends. @default never */
  idleFor?: number
  answer?: (question: never) => Promise<unknown>
}

export interface ThreadCallOptions {
  /** Milliseconds of wall time from the start of the call. Waiting for a thread does not count. */
  limit: number
  /** The caller: callers take turns, so that one with many calls does not delay the others. */
  caller: string
  signal?: AbortSignal
}

interface Call {
  readonly request: unknown
  readonly options: ThreadCallOptions
  resolve(value: unknown): void
  reject(error: unknown): void
  release(): void
}

interface Thread {
  readonly carrier: Carrier
  state: 'starting' | 'idle' | 'busy'
  call: Call | null
  timer: NodeJS.Timeout | null
}

/**
 * Runs calls of one function on separate threads, each within a limit of wall time. The pool ends the thread of a
 * call that exceeds its limit, which stops even code that never polls. Only that call fails, and another thread
 * replaces the ended one. Threads start on demand and stay warm. Idle ones do not keep the process alive.
 *
 * @example
 * const pool = new ThreadPool<number, string>({ file: threadFile, name: 'convert' })
 * await pool.call(5, { limit: 1000, caller: 'ep-0000001' })
 */
export class ThreadPool<Request, Answer> {
  readonly #options: ThreadPoolOptions
  readonly #size: number
  readonly #waiting = new FairQueue<Call>()
  readonly #threads = new Set<Thread>()

  constructor(options: ThreadPoolOptions) {
    this.#options = options
    this.#size = options.size ?? Math.min(availableParallelism(), mostThreads)
  }

  get threads(): number {
    return this.#threads.size
  }

  /**
   * @param request a value that can be cloned
   * @throws ThreadTimeoutError when it exceeds its limit
   * @throws RemoteCallError the function's own error
   * @throws ThreadLostError when its thread ended meanwhile, for example out of memory
   * @throws ThreadUnavailableError when no thread can start
   * @throws the signal's reason when the caller cancels it
   */
  call(request: Request, options: ThreadCallOptions): Promise<Answer> {
    const { caller, signal } = options
    if (signal?.aborted) return Promise.reject(signal.reason)
    return new Promise<unknown>((resolve, reject) => {
      const onAbort = () => this.#callOff(call, signal?.reason)
      const release = () => signal?.removeEventListener('abort', onAbort)
      const call: Call = { request, options, resolve, reject, release }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiting.add(caller, call)
      this.#dispatch()
    }) as Promise<Answer>
  }

  async close(): Promise<void> {
    const threads = [...this.#threads]
    for (const thread of threads)
      this.#drop(thread, new ThreadLostError(this.#options.name, 'The pool was closed.'))
    for (let call = this.#waiting.take(); call !== undefined; call = this.#waiting.take()) {
      call.release()
      call.reject(new ThreadLostError(this.#options.name, 'The pool was closed.'))
    }
    await Promise.all(threads.map(({ carrier }) => carrier.end()))
  }

  #dispatch(): void {
    for (const thread of this.#threads) {
      if (thread.state !== 'idle') continue
      const call = this.#waiting.take((caller) => this.#roomOf(caller) > 0)
      if (call === undefined) return
      this.#give(thread, call)
    }
    const starting = [...this.#threads].filter(({ state }) => state === 'starting').length
    const takeable = this.#waiting.countTakeable((caller) => this.#roomOf(caller))
    const wanted = Math.min(takeable - starting, this.#size - this.#threads.size)
    for (let started = 0; started < wanted; started += 1) this.#start()
  }

  #roomOf(caller: string): number {
    const { perCaller = this.#size } = this.#options
    return perCaller - [...this.#threads].filter(({ call }) => call?.options.caller === caller).length
  }

  #give(thread: Thread, call: Call): void {
    thread.state = 'busy'
    thread.call = call
    thread.carrier.hold(true)
    if (thread.timer !== null) clearTimeout(thread.timer)
    const { limit } = call.options
    thread.timer = setTimeout(() => this.#drop(thread, new ThreadTimeoutError(limit)), limit)
    try {
      thread.carrier.post({ type: 'call', request: call.request } satisfies ThreadMessage)
    } catch (error) {
      this.#finish(thread, (failed) => failed.reject(error))
    }
  }

  #start(): void {
    const { file, name, resourceLimits, process: apart, startLimit = usualStart } = this.#options
    const events = {
      onMessage: (answer: unknown) => this.#receive(thread, answer as ThreadAnswer),
      onEnd: (reason: string, isKilled = false) => {
        const isStarting = thread.state === 'starting'
        this.#drop(
          thread,
          isStarting ? new ThreadUnavailableError(name, reason) : new ThreadLostError(name, reason, isKilled),
        )
      },
    }
    const carrier =
      apart === undefined
        ? startThread({ file, name, ...(resourceLimits && { resourceLimits }) }, events)
        : startProcess({ file, ...apart }, events)
    const late = () =>
      this.#drop(thread, new ThreadUnavailableError(name, `It was not ready after ${startLimit} ms.`))
    const thread: Thread = { carrier, state: 'starting', call: null, timer: setTimeout(late, startLimit) }
    this.#threads.add(thread)
  }

  #receive(thread: Thread, answer: ThreadAnswer): void {
    if (!this.#threads.has(thread)) return
    if (answer.type === 'ask') void this.#answer(thread, answer)
    else if (answer.type === 'ready') this.#finish(thread, () => undefined)
    else if (answer.type === 'result') this.#finish(thread, (call) => call.resolve(answer.value))
    else this.#finish(thread, (call) => call.reject(new RemoteCallError(answer)))
  }

  async #answer({ carrier }: Thread, { id, question }: { id: number; question: unknown }): Promise<void> {
    let message: ThreadMessage
    try {
      message = { type: 'answer', id, value: await this.#options.answer?.(question as never) }
    } catch (error) {
      message = { type: 'refusal', id, message: error instanceof Error ? error.message : String(error) }
    }
    carrier.post(message)
  }

  #finish(thread: Thread, settle: (call: Call) => void): void {
    const { call, timer } = thread
    if (timer !== null) clearTimeout(timer)
    thread.timer = null
    thread.call = null
    thread.state = 'idle'
    thread.carrier.hold(false)
    if (call !== null) {
      call.release()
      settle(call)
    }
    this.#dispatch()
    const { idleFor } = this.#options
    if (thread.call !== null || idleFor === undefined) return
    thread.timer = setTimeout(() => this.#drop(thread, new Error('It was idle.')), idleFor).unref()
  }

  #drop(thread: Thread, error: Error): void {
    if (!this.#threads.delete(thread)) return
    if (thread.timer !== null) clearTimeout(thread.timer)
    void thread.carrier.end()
    thread.carrier.hold(false)
    const call = thread.state === 'starting' ? this.#waiting.take() : thread.call
    call?.release()
    call?.reject(error)
    this.#dispatch()
  }

  #callOff(call: Call, reason: unknown): void {
    if (this.#waiting.remove(call.options.caller, call)) {
      call.reject(reason)
      return
    }
    const thread = [...this.#threads].find((each) => each.call === call)
    if (thread !== undefined) this.#drop(thread, reason as Error)
  }
}
