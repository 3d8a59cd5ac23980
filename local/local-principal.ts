import { randomBytes } from 'node:crypto'
import type { Authenticate } from '../functions/api/authentication/authenticate.ts'
import { bearerKey, digestKey, matchesDigest } from '../shared/core/auth/key-text.ts'
import type { Keys } from '../shared/core/auth/open-keys.ts'
import type { Principal } from '../shared/core/auth/principal.ts'
import { checkTenant, defaultTenant } from '../shared/core/contracts/tenant.ts'

export type LocalAuth = 'none' | 'keys'

export const tenantHeader = 'Espalier-Tenant'

/**
 * Creates a secret that a service writes only to its folder's `service.json`. A client that sends it can read the
 * folder.
 */
export function newFolderWord(): string {
  return `folder_${randomBytes(32).toString('base64url')}`
}

/**
 * Identifies the sender of a request to a local service. The folder's secret grants every right for any tenant. A key
 * grants its own rights. Without authentication, a client without a key is the default tenant.
 */
export function localPrincipal(needs: {
  keys: Pick<Keys, 'verify'>
  auth: LocalAuth
  word: string
}): Authenticate {
  const { keys, auth } = needs
  const word = digestKey(needs.word)
  const byKey = keyPrincipal(keys)
  return (context) => {
    const header = context.req.header('Authorization')
    if (header === undefined) return auth === 'none' ? holder(defaultTenant) : null
    if (matchesDigest(bearerKey(header) ?? '', word)) {
      return holder(checkTenant(context.req.header(tenantHeader) ?? defaultTenant))
    }
    return byKey(context)
  }
}

function holder(tenant: string): Principal {
  return { tenant, scopes: ['admin'], key: null }
}

export function keyPrincipal(keys: Pick<Keys, 'verify'>): Authenticate {
  return (context) => {
    const key = bearerKey(context.req.header('Authorization') ?? '')
    return key === null ? null : keys.verify(key)
  }
}
