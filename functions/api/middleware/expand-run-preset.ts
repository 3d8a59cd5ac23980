import type { MiddlewareHandler } from 'hono'
import type { Json } from '../../../shared/core/contracts/json.ts'
import type { ApiEnvironment } from '../api-app.ts'

export const expandRunPreset: MiddlewareHandler<ApiEnvironment> = async (context, next) => {
  const { req } = context
  if (req.method === 'POST' && req.path === '/v1/runs') {
    const body = await bodyOf(() => req.json<Json>())
    if (typeof body === 'object' && body !== null && !Array.isArray(body) && body.preset !== undefined) {
      const { expandPreset } = await import('../../../shared/play/presets/expand-preset.ts')
      // Later readers of the body, including its validation, read it from here.
      req.bodyCache = { json: Promise.resolve(expandPreset(body)) }
    }
  }
  await next()
}

async function bodyOf(read: () => Promise<Json>): Promise<Json> {
  try {
    return await read()
  } catch {
    return null
  }
}
