import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Log } from '../../functions/api/log.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type {
  MessageFromReader,
  MessageToReader,
  ReadAnswer,
  ReaderAssignment,
  ReadRequest,
} from './reader-messages.ts'

const usualEntry = join(import.meta.dirname, `reader-entry${extname(import.meta.filename)}`)

const longestClose = 2000

interface Pending {
  resolve(answer: ReadAnswer): void
  reject(error: unknown): void
}

/**
 * A thread that answers reads of the API concurrently, over its own connection to the folder's database. A read that
 * exceeds the thread's memory ends the thread with all pending reads. Another thread then starts, and later reads wait
 * for it. A thread that ends before it is ready starts again on request alone.
 */
export class ReaderThread {
  readonly #assignment: ReaderAssignment
  readonly #entry: string
  readonly #log: Log
  readonly #onDamage: (name: string) => void
  readonly #pending = new Map<number, Pending>()
  #worker: Worker | null = null
  #isReady = false
  #hasBegun = false
  #starting = Promise.withResolvers<void>()
  #onClosed: () => void = () => undefined
  #asked = 0
  #isClosing = false

  /**
   * @param onDamage called for each damaged name that the thread meets; again after a restart
   * @param entry the thread's file
   */
  constructor(
    assignment: ReaderAssignment,
    log: Log,
    onDamage: (name: string) => void = () => undefined,
    entry = usualEntry,
  ) {
    this.#assignment = assignment
    this.#entry = entry
    this.#log = log
    this.#onDamage = onDamage
  }

  /** True once a thread has been ready, until one cannot start: then reads wait while another thread starts. */
  get isReady(): boolean {
    return this.#isReady
  }

  start(): Promise<void> {
    if (this.#worker === null && !this.#isClosing) {
      this.#starting = Promise.withResolvers<void>()
      this.#worker = this.#open()
    }
    return this.#starting.promise
  }

  /** @throws EspalierError `internal` if the thread ended meanwhile */
  read(request: ReadRequest): Promise<ReadAnswer> {
    void this.start()
    const worker = this.#worker
    if (worker === null) return Promise.reject(ended('the service stops'))
    this.#asked += 1
    const id = this.#asked
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      worker.postMessage({ type: 'read', id, request } satisfies MessageToReader)
    })
  }

  async close(): Promise<void> {
    this.#isClosing = true
    this.#isReady = false
    const worker = this.#worker
    if (worker === null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onClosed = resolve
    const late = setTimeout(resolve, longestClose)
    worker.postMessage({ type: 'close' } satisfies MessageToReader)
    await promise
    clearTimeout(late)
    await worker.terminate()
  }

  #open(): Worker {
    // Pass none of this process's flags: some, for example --input-type, are refused for a file.
    const worker = new Worker(this.#entry, { name: 'reader', execArgv: [], workerData: this.#assignment })
    worker.on('message', (message: MessageFromReader) => this.#hear(message))
    worker.on('error', (error) => this.#end(worker, String(error)))
    worker.on('exit', (code) => this.#end(worker, `it exited with code ${code}`))
    worker.unref()
    return worker
  }

  #hear(message: MessageFromReader): void {
    if (message.type === 'ready') {
      this.#isReady = !this.#isClosing
      this.#hasBegun = true
      this.#starting.resolve()
    }
    if (message.type === 'log') this.#log(message.entry)
    if (message.type === 'damage') this.#onDamage(message.name)
    if (message.type === 'closed') this.#onClosed()
    if (message.type !== 'answer' && message.type !== 'failure') return
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (message.type === 'answer') pending?.resolve(message.answer)
    else pending?.reject(new Error(message.reason))
  }

  #end(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return
    this.#worker = null
    this.#isReady = this.#hasBegun && !this.#isClosing
    this.#hasBegun = false
    this.#starting.resolve()
    this.#onClosed()
    if (!this.#isClosing) this.#log({ level: 'error', event: 'reader.ended', reason })
    const lost = [...this.#pending.values()]
    this.#pending.clear()
    for (const { reject } of lost) reject(ended(reason))
    if (this.#isReady) void this.start()
  }
}

function ended(reason: string): EspalierError {
  return new EspalierError(
    'internal',
    `The thread that was reading for this request ended: ${reason}. Try again; ask for smaller pages if it happens again.`,
  )
}
