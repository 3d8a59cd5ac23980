import { EspalierError } from '../contracts/errors.ts'
import type { Json } from '../contracts/json.ts'

/** SQS takes 1 MiB, of which a message's group takes up to 512 bytes: the same limit holds in both worlds. */
const maxMessageBytes = 1024 * 1024 - 512

/**
 * A message's body as its queue stores it.
 * @throws EspalierError `body_too_large`
 */
export function messageText(body: Json): string {
  // SQS refuses these two; inside JSON they can only occur in texts.
  const text = JSON.stringify(body).replaceAll(
    /[\uFFFE\uFFFF]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16)}`,
  )
  if (Buffer.byteLength(text) <= maxMessageBytes) return text
  throw new EspalierError(
    'body_too_large',
    `A message holds at most ${maxMessageBytes} bytes: keep what is large in objects.`,
  )
}
