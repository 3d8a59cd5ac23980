import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isInternalAddress, isLinkLocalAddress } from './internal-address.ts'

export const internalAddressCode = 'ERR_INTERNAL_ADDRESS'

export function internalAddressError(hostname: string): Error & { code: string } {
  const error = new Error(`${hostname} leads to an address within the network.`)
  return Object.assign(error, { code: internalAddressCode })
}

export type Resolve = (
  hostname: string,
  options: { all: true; family?: number; hints?: number },
  callback: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void

const resolveName: Resolve = (hostname, options, callback) => lookup(hostname, options, callback)

/**
 * Creates a lookup for connections that refuses answers with an internal address. The connection uses the checked
 * addresses, so a later change of the answer does not bypass the check.
 *
 * @param isRefused - decides by the host and all its addresses; by default, one internal address is enough
 */
export function createGuardedLookup(
  resolve: Resolve = resolveName,
  isRefused: (hostname: string, addresses: readonly string[]) => boolean = (_, addresses) =>
    addresses.some(isInternalAddress),
): LookupFunction {
  return (hostname, options, callback) => {
    const { family, hints } = options
    const asked = {
      all: true as const,
      ...(typeof family === 'number' && { family }),
      ...(hints !== undefined && { hints }),
    }
    resolve(hostname, asked, (error, addresses) => {
      if (error !== null) return callback(error, '', 0)
      if (
        isRefused(
          hostname,
          addresses.map(({ address }) => address),
        )
      ) {
        return callback(internalAddressError(hostname), '', 0)
      }
      if (options.all) return callback(null, addresses)
      const [first] = addresses
      return callback(null, first?.address ?? '', first?.family ?? 4)
    })
  }
}

export const lookupPublic: LookupFunction = createGuardedLookup()

/**
 * Creates a lookup for servers registered by an administrator, which may be internal. A name whose first answer was
 * public must not lead into the network later, and none leads to a link-local address.
 */
export function createSteadyLookup(resolve?: Resolve): LookupFunction {
  const isPublic = new Map<string, boolean>()
  return createGuardedLookup(resolve, (hostname, addresses) => {
    if (addresses.some(isLinkLocalAddress)) return true
    const leadsOut = !addresses.some(isInternalAddress)
    const before = isPublic.get(hostname)
    if (before === undefined) isPublic.set(hostname, leadsOut)
    return before === true && !leadsOut
  })
}
