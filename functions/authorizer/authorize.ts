import type { APIGatewayRequestAuthorizerEventV2 } from 'aws-lambda'
import { bearerKey } from '../../shared/core/auth/key-text.ts'
import type { Keys } from '../../shared/core/auth/open-keys.ts'

export type Authorization =
  | { isAuthorized: true; context: { tenant: string; scopes: string; key: string } }
  | { isAuthorized: false }

/**
 * Passes the key's principal on to the API. It reads only the header by which the gateway caches its answers, not the
 * route, whose scope the API checks. The gateway answers a wrong key itself, with 403 and no reason, so that a flood
 * of them never reaches the larger function; clients name the remedy.
 */
export function authorizeWith(
  keys: Pick<Keys, 'verify'>,
): (event: Pick<APIGatewayRequestAuthorizerEventV2, 'identitySource'>) => Promise<Authorization> {
  return async ({ identitySource }) => {
    const key = bearerKey(identitySource?.[0] ?? '')
    const principal = key === null ? null : await keys.verify(key)
    if (principal === null || principal.key === null) return { isAuthorized: false }
    const { tenant, scopes } = principal
    return { isAuthorized: true, context: { tenant, scopes: scopes.join(' '), key: principal.key } }
  }
}
