import { bearerKey } from '../../../shared/core/auth/bearer-key.ts'
import type { Keys } from '../../../shared/core/auth/open-keys.ts'
import type { Authenticate } from './authenticate.ts'

export function keyPrincipal(keys: Pick<Keys, 'verify'>): Authenticate {
  return (context) => {
    const key = bearerKey(context.req.header('Authorization') ?? '')
    return key === null ? null : keys.verify(key)
  }
}
