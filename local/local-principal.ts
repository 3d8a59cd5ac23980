import { randomBytes } from 'node:crypto'
import type { Authenticate } from '../functions/api/authentication/authenticate.ts'
import { keyPrincipal } from '../functions/api/authentication/key-principal.ts'
import { bearerKey } from '../shared/auth/bearer-key.ts'
import { digestKey, matchesDigest } from '../shared/auth/key-text.ts'
import type { Keys } from '../shared/auth/open-keys.ts'
import type { Principal } from '../shared/auth/principal.ts'
import { checkTenant, defaultTenant } from '../shared/contracts/tenant.ts'

/** Whether a local service asks for keys: `none` takes a request without one as the default tenant's. */
export type LocalAuth = 'none' | 'keys'

/** Names the tenant for whom the holder of the folder asks. */
export const tenantHeader = 'Espalier-Tenant'

/** A secret that a service writes into its folder's `service.json` alone: a client that sends it can read the folder. */
export function newFolderWord(): string {
  return `folder_${randomBytes(32).toString('base64url')}`
}

/**
 * Who sends a request to a local service: a client that can read its folder, by the folder's secret, with every right for any tenant;
 * a client with a key; and where no keys are asked for, any client without one, as the default tenant.
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
