import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Dispatcher } from 'undici'
import { CallTimeoutError, toWireHeaders, UnsentRequestError, type WireAnswer } from './transport.ts'

/**
 * Milliseconds, and bytes after decompression. `idleTimeout` is between two pieces, after the first: a model may think
 * as long as its call may take.
 */
export interface AnswerBounds {
  timeout: number
  idleTimeout: number
  maxBytes: number
}

/**
 * The reader stopped before the end of an answer's body. The sender may have worked for it, so its call counts as
 * paid.
 */
export class AnswerBodyError extends Error {
  override readonly name = 'AnswerBodyError'
  readonly advice: string

  constructor(message: string, advice: string) {
    super(message)
    this.advice = advice
  }
}

type HeaderRecord = Record<string, string | string[] | undefined>

const utf8 = new TextDecoder()

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Reads one answer from its connection, decompresses it, and never holds more than its bounds allow. Cuts the body of
 * an error (status 400 and above) instead of failing, so that its status still counts.
 */
export class AnswerReader implements Dispatcher.DispatchHandler {
  /**
   * The answer. Rejects with the connection's error, the signal's reason, {@link CallTimeoutError}, or {@link
   * AnswerBodyError} for a body that is longer than `maxBytes`, stalls for `idleTimeout`, or has an unknown
   * compression; with {@link UnsentRequestError} around it before the request is written.
   */
  readonly whole: Promise<WireAnswer>
  readonly #bounds: AnswerBounds
  readonly #signal: AbortSignal | undefined
  readonly #late: NodeJS.Timeout
  readonly #resolve: (answer: WireAnswer) => void
  readonly #reject: (error: unknown) => void
  readonly #pieces: Buffer[] = []
  #bytes = 0
  #status = 0
  #headers: HeaderRecord = {}
  #controller: Dispatcher.DispatchController | null = null
  #idle: NodeJS.Timeout | null = null
  #decoder: Transform | null = null
  #hasEnded = false
  #isOver = false

  constructor(bounds: AnswerBounds, signal: AbortSignal | undefined) {
    const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>()
    this.whole = promise
    this.#resolve = resolve
    this.#reject = reject
    this.#bounds = bounds
    this.#signal = signal
    this.#late = setTimeout(() => this.#fail(new CallTimeoutError()), bounds.timeout)
    if (signal?.aborted) this.#fail(signal.reason)
    else signal?.addEventListener('abort', this.#abort, { once: true })
  }

  readonly #abort = () => this.#fail(this.#signal?.reason)

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) this.#leave()
  }

  onResponseStart(_: unknown, status: number, headers: HeaderRecord): void {
    if (status < 200 || this.#isOver) return
    this.#status = status
    this.#headers = headers
    if (!this.#isError && Number(headers['content-length']) > this.#bounds.maxBytes)
      this.#fail(this.#tooLong())
    else this.#decoder = this.#openDecoder([headers['content-encoding'] ?? []].flat().join(','))
  }

  onResponseData(controller: Dispatcher.DispatchController, piece: Buffer): void {
    if (this.#isOver) return
    if (this.#decoder === null) this.#take(piece)
    else if (!this.#decoder.write(piece)) controller.pause()
  }

  onResponseEnd(): void {
    this.#hasEnded = true
    if (this.#decoder === null) this.#finish()
    else this.#decoder.end()
  }

  onResponseError(_: unknown, error: Error): void {
    this.#hasEnded = true
    this.#fail(error)
  }

  get #isError(): boolean {
    return this.#status >= 400
  }

  #take(piece: Buffer): void {
    if (this.#isOver) return
    const { idleTimeout, maxBytes } = this.#bounds
    if (this.#idle === null) this.#idle = setTimeout(() => this.#fail(stalled(idleTimeout)), idleTimeout)
    else this.#idle.refresh()
    this.#bytes += piece.length
    if (this.#bytes <= maxBytes) this.#pieces.push(piece)
    else if (this.#isError) this.#finish()
    else this.#fail(this.#tooLong())
  }

  #openDecoder(encoding: string): Transform | null {
    const name = encoding.trim().toLowerCase()
    if (name === '' || name === 'identity') return null
    const decoder = decoders[name]?.()
    if (decoder === undefined) {
      this.#fail(
        new AnswerBodyError(
          `the answer is compressed as "${name.slice(0, 40)}", which was not asked for`,
          'Check base_url and what stands between it and the server.',
        ),
      )
      return null
    }
    return decoder
      .on('data', (piece: Buffer) => this.#take(piece))
      .on('drain', () => this.#controller?.resume())
      .on('error', (error) => this.#fail(error))
      .on('end', () => this.#finish())
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#leave()
    const [first] = this.#pieces
    const bytes = this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces)
    this.#resolve({ status: this.#status, headers: toWireHeaders(this.#headers), text: utf8.decode(bytes) })
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    // The connection asks for its controller just before it writes the request.
    this.#reject(this.#controller === null ? new UnsentRequestError(error) : error)
    this.#leave()
  }

  #leave(): void {
    clearTimeout(this.#late)
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#decoder?.destroy()
    if (!this.#hasEnded) this.#controller?.abort(new Error('The reader of the answer left.'))
  }

  #tooLong(): AnswerBodyError {
    return new AnswerBodyError(
      `the answer is longer than ${this.#bounds.maxBytes} bytes`,
      'Check base_url, or raise max_answer_bytes of this endpoint.',
    )
  }
}

function stalled(idleTimeout: number): AnswerBodyError {
  return new AnswerBodyError(
    `the answer stood still for ${idleTimeout / 1000} s before its end`,
    'Try again later, or raise idle_timeout of this endpoint.',
  )
}
