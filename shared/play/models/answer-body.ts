import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

export interface AnswerBounds {
  /** Bytes, after decompression. */
  maxBytes: number
  /** Milliseconds between two pieces, after the first piece: a model may think as long as its call may take. */
  idleTimeout: number
}

export interface BodiedAnswer {
  statusCode: number
  headers: Record<string, string | string[] | undefined>
  body: Readable
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

const utf8 = new TextDecoder()

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Reads and decompresses the body of an answer as text, and never holds more than its bounds allow. Cuts the body of
 * an error (status 400 and above) instead of failing, so that its status still counts.
 *
 * @throws AnswerBodyError when the body is longer than `maxBytes`, stalls for `idleTimeout`, or has an unknown
 * compression
 */
export async function readAnswerBody(
  { statusCode, headers, body }: BodiedAnswer,
  { maxBytes, idleTimeout }: AnswerBounds,
): Promise<string> {
  const isError = statusCode >= 400
  const tooLong = () =>
    new AnswerBodyError(
      `the answer is longer than ${maxBytes} bytes`,
      'Check base_url, or raise max_answer_bytes of this endpoint.',
    )
  const stream = decoded(body, headers['content-encoding'])
  const pieces: Buffer[] = []
  let bytes = 0
  let idle: NodeJS.Timeout | undefined
  const stalled = () =>
    stream.destroy(
      new AnswerBodyError(
        `the answer stood still for ${idleTimeout / 1000} s before its end`,
        'Try again later, or raise idle_timeout of this endpoint.',
      ),
    )
  try {
    if (!isError && Number(headers['content-length']) > maxBytes) throw tooLong()
    for await (const piece of stream as AsyncIterable<Buffer>) {
      idle ??= setTimeout(stalled, idleTimeout)
      idle.refresh()
      bytes += piece.length
      if (bytes > maxBytes) {
        if (isError) break
        throw tooLong()
      }
      pieces.push(piece)
    }
  } finally {
    clearTimeout(idle)
    // Reading on may end with an error of its own, which no longer matters.
    body.on('error', () => undefined).destroy()
  }
  return utf8.decode(Buffer.concat(pieces))
}

function decoded(body: Readable, encoding: string | string[] | undefined): Readable {
  const named = [encoding ?? []].flat().join(',').trim().toLowerCase()
  if (named === '' || named === 'identity') return body
  const decoder = decoders[named]
  if (decoder === undefined) {
    body.on('error', () => undefined).destroy()
    throw new AnswerBodyError(
      `the answer is compressed as "${named.slice(0, 40)}", which was not asked for`,
      'Check base_url and what stands between it and the server.',
    )
  }
  return pipeline(body, decoder(), () => undefined)
}
