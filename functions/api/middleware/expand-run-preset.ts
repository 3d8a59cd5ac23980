import type { MiddlewareHandler } from 'hono'
import type { Json } from '../../../shared/contracts/json.ts'
import { expandPreset } from '../../../shared/presets/expand-preset.ts'
import type { ApiEnvironment } from '../api-app.ts'

/**
 * Writes out the preset that the body of a new run names, before the body is checked and its defaults are filled in: from then
 * on it is a request like any other.
 */
export const expandRunPreset: MiddlewareHandler<ApiEnvironment> = async (context, next) => {
  const { req } = context
  if (req.method === 'POST' && req.path === '/v1/runs') {
    const body = await bodyOf(() => req.json<Json>())
    if (typeof body === 'object' && body !== null && !Array.isArray(body) && body.preset !== undefined) {
      // What reads the body after this, its check too, reads it from here.
      req.bodyCache = { json: Promise.resolve(expandPreset(body)) }
    }
  }
  await next()
}

/** Null where it is no JSON, which is refused with its own words. */
async function bodyOf(read: () => Promise<Json>): Promise<Json> {
  try {
    return await read()
  } catch {
    return null
  }
}
