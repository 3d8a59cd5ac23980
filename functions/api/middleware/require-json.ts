import { isUtf8 } from 'node:buffer'
import type { MiddlewareHandler } from 'hono'
import { EspalierError } from '../../../shared/contracts/errors.ts'
import type { ApiEnvironment } from '../api-app.ts'
import { locateJsonError } from '../errors/locate-json-error.ts'

const deepest = 64

/**
 * Refuses bodies that are labelled JSON and are not, with the place of the fault, and those nested so deeply that
 * checking or storing them would overflow the stack.
 */
export const requireJson: MiddlewareHandler<ApiEnvironment> = async (context, next) => {
  const type = context.req.header('content-type') ?? ''
  if (context.req.raw.body !== null && /^application\/([\w.-]+\+)?json\b/i.test(type)) {
    const bytes = Buffer.from(await context.req.arrayBuffer())
    if (!isUtf8(bytes)) {
      throw new EspalierError(
        'invalid_json',
        'The body is not UTF-8, as JSON must be. Convert it: iconv -t UTF-8.',
      )
    }
    refuseDepth(parse(bytes.toString('utf8')))
  }
  await next()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    const place = locateJsonError(text)
    const where =
      place === null ? '' : ` at line ${place.line}, column ${place.column}: unexpected ${place.found}`
    throw new EspalierError('invalid_json', `The body is not valid JSON${where}.`, { cause })
  }
}

function refuseDepth(value: unknown): void {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 0 }]
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    if (typeof current.value !== 'object' || current.value === null) continue
    const depth = current.depth + 1
    if (depth > deepest) {
      throw new EspalierError(
        'invalid_request',
        `The body is nested deeper than ${deepest} levels. Flatten it.`,
      )
    }
    for (const child of Object.values(current.value)) waiting.push({ value: child, depth })
  }
}
