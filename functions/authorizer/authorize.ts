import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda'
import { bearerKey } from '../../shared/auth/bearer-key.ts'
import type { Keys } from '../../shared/auth/open-keys.ts'

/** A simple answer of payload 2.0; what is in `context` reaches the API's function as texts. */
export interface Authorization {
  isAuthorized: true
  context: { tenant: string; scopes: string; key: string } | Record<string, never>
}

/**
 * Passes on to the API whose key a request carries. It looks at the header that the gateway keeps answers by, and at nothing else:
 * not at the route, whose scope the API itself checks. For a wrong key it passes on nothing, and the API then refuses the
 * request with 401 and the way out; the gateway could only say 403 here, without a reason.
 */
export function authorizeWith(
  keys: Pick<Keys, 'verify'>,
): (event: Pick<APIGatewayRequestAuthorizerEventV2, 'identitySource'>) => Promise<Authorization> {
  return async ({ identitySource }) => {
    const key = bearerKey(identitySource?.[0] ?? '')
    const principal = key === null ? null : await keys.verify(key)
    if (principal === null || principal.key === null) return { isAuthorized: true, context: {} }
    const { tenant, scopes } = principal
    return { isAuthorized: true, context: { tenant, scopes: scopes.join(' '), key: principal.key } }
  }
}
