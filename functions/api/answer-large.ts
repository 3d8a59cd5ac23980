import type { Objects } from '../../shared/core/world/ports.ts'
import type { ApiContext } from './api-app.ts'

const signedSeconds = 900
/** Bytes. A Lambda function returns at most 6 MB. */
const largestAnswer = 4_000_000

export interface StoredAnswer {
  key: string
  fileName: string
}

export function answerLarge(
  context: ApiContext,
  objects: Pick<Objects, 'put' | 'sign'>,
  value: unknown,
  stored: StoredAnswer,
): Promise<Response> {
  return answerText(context, objects, { text: JSON.stringify(value), type: 'application/json' }, stored)
}

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
 * Redirects to an address that downloads the object without a key for 15 minutes. After a request with a body the
 * status is 303. With 307 the client would send its body there again, which the signature does not allow.
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
