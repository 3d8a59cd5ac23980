import { isUtf8 } from 'node:buffer'
import type { MiddlewareHandler } from 'hono'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { ApiEnvironment } from '../api-app.ts'
import { locateJsonError } from '../errors/locate-json-error.ts'
import { refuseExcess } from './json-bounds.ts'

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
    refuseExcess(bytes)
    parse(bytes.toString('utf8'))
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
