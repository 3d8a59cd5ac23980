import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { Principal } from '../../../shared/core/auth/principal.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { ApiContext, ApiEnvironment } from '../api-app.ts'
import { needsNoKey } from './needs.ts'

export type Authenticate = (context: ApiContext) => Principal | null | Promise<Principal | null>

/**
 * Refuses every request without a valid key before any other check, so that the answer reveals nothing. Only routes
 * marked with {@link needsNoKey} are exempt.
 */
export function requirePrincipal(authenticate: Authenticate): MiddlewareHandler<ApiEnvironment> {
  return async (context, next) => {
    if (!matchedRoutes(context).some(({ handler }) => handler === needsNoKey)) {
      const principal = await authenticate(context)
      if (principal === null) throw refusal(context.req.header('Authorization'))
      context.set('principal', principal)
    }
    await next()
  }
}

function refusal(header: string | undefined): EspalierError {
  if (header === undefined) {
    return new EspalierError(
      'missing_key',
      'This needs an API key: send the header "Authorization: Bearer esp_…". `espalier keys create` makes keys.',
    )
  }
  return new EspalierError(
    'invalid_key',
    'The API key is unknown, revoked or expired. Send another as "Authorization: Bearer esp_…"; `espalier keys create` makes keys.',
  )
}
