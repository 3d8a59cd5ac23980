import { createHmac, randomBytes } from 'node:crypto'
import type { Ledger } from '../../core/world/ports.ts'
import { hostKeys } from './host-row.ts'

export const accessKeyVariable = 'ESPALIER_HOST_ACCESS_KEY'

/**
 * The access key of one launched host. Hosts refuse calls without theirs, so no other host answers a call to an
 * address that has passed to it. The key derives from a secret of the fleet and from the launch, so two passes over
 * the fleet that launch the same host pass it the same key.
 * @param launch the token of the launch (see `HostRequest`)
 */
export async function hostAccessKey(ledger: Ledger, image: string, launch: string): Promise<string> {
  return createHmac('sha256', await fleetSecret(ledger, image))
    .update(launch)
    .digest('base64url')
}

async function fleetSecret(ledger: Ledger, image: string): Promise<string> {
  const key = hostKeys.fleetSecret(image)
  const known = await ledger.get(key)
  if (known !== null) return String(known.secret)
  const secret = randomBytes(32).toString('base64url')
  const { ok, item } = await ledger.update({ key, set: { secret }, if: [{ is: 'absent' }] })
  return ok ? secret : String(item?.secret)
}
