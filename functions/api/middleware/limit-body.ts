import type { MiddlewareHandler } from 'hono'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { ApiEnvironment } from '../api-app.ts'

const megabyte = 1024 * 1024
const largest = 8 * megabyte
/** Bytes read from a body that is too large, so that its sender can read the answer. */
const patience = 64 * megabyte

/**
 * Refuses bodies larger than any request needs. hono's own `bodyLimit` answers while the client is still sending. A
 * client that requested `Connection: close` then gets a broken pipe instead of the answer.
 */
export const limitBody: MiddlewareHandler<ApiEnvironment> = async (context, next) => {
  const { body, method, headers, signal } = context.req.raw
  if (body !== null) {
    const declared = Number(context.req.header('content-length') ?? 0)
    if (declared > patience) throw tooLarge()
    const bytes = await read(body)
    const kept = new Headers(headers)
    // Some clients label an empty body, which counts as no body.
    if (bytes.size === 0) kept.delete('content-type')
    const whole = bytes.size === 0 ? {} : { body: bytes }
    context.req.raw = new Request(context.req.url, { method, headers: kept, signal, ...whole })
  }
  await next()
}

async function read(body: ReadableStream<Uint8Array>): Promise<Blob> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of body) {
    size += piece.byteLength
    if (size <= largest) pieces.push(piece)
    else pieces.length = 0
    if (size > patience) break
  }
  if (size > largest) throw tooLarge()
  return new Blob(pieces as Uint8Array<ArrayBuffer>[])
}

function tooLarge(): EspalierError {
  const message = `The body is larger than ${largest / megabyte} MB. Name tasks by split, range or types instead of one by one; send trajectories in several bodies, as espalier import does.`
  return new EspalierError('body_too_large', message)
}
