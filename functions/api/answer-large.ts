import type { Objects } from '../../shared/world/ports.ts'
import type { ApiContext } from './api-app.ts'

const signedSeconds = 900
/** Bytes; a Lambda function answers with six megabytes at most. */
const largestAnswer = 4_000_000

/** Where an answer is kept that is too large, and what a browser calls it. */
export interface StoredAnswer {
  key: string
  fileName: string
}

/** Answers with the value itself, or, where it is large, keeps it as it stands and answers with its address. */
export function answerLarge(
  context: ApiContext,
  objects: Pick<Objects, 'put' | 'sign'>,
  value: unknown,
  stored: StoredAnswer,
): Promise<Response> {
  return answerText(context, objects, { text: JSON.stringify(value), type: 'application/json' }, stored)
}

/** The same for an answer that is written already, of a media type. */
export async function answerText(
  context: ApiContext,
  objects: Pick<Objects, 'put' | 'sign'>,
  { text, type }: { text: string; type: string },
  stored: StoredAnswer,
): Promise<Response> {
  const body = Buffer.from(text)
  if (body.byteLength > largestAnswer) {
    await objects.put(stored.key, body, { content_type: type })
    return redirectTo(context, objects, stored)
  }
  context.header('Cache-Control', 'no-store')
  return context.body(body, 200, { 'Content-Type': type })
}

/**
 * Answers with an address that downloads the object without a key, for a quarter of an hour. A client that has sent a body
 * is sent there with 303: by 307 they would send the body there as well, which the signature does not allow.
 */
export async function redirectTo(
  context: ApiContext,
  objects: Pick<Objects, 'sign'>,
  { key, fileName }: StoredAnswer,
): Promise<Response> {
  const { url } = await objects.sign(key, { expires_in: signedSeconds, file_name: fileName })
  context.header('Cache-Control', 'no-store')
  return context.redirect(url, context.req.method === 'GET' ? 307 : 303)
}
