import { isIP } from 'node:net'
import { internalAddressError } from './guarded-lookup.ts'
import { isInternalAddress, isLinkLocalAddress } from './internal-address.ts'

/**
 * The allowed addresses. `public`: none within the network. `registered`: those of servers that an administrator
 * registered, see `createSteadyLookup`. `any`: all.
 */
export type Network = 'any' | 'registered' | 'public'

/**
 * Refuses a URL with an address in place of a name if its network does not allow the address.
 *
 * @throws Error with the code `ERR_INTERNAL_ADDRESS`
 */
export function checkLiteral({ hostname }: URL, network: Network): void {
  const host = bareHost(hostname)
  if (network !== 'any' && isIP(host) !== 0 && isRefusedIn(network)(host)) throw internalAddressError(host)
}

export const bareHost = (hostname: string) => hostname.replace(/^\[|\]$/g, '')
export const isRefusedIn = (network: Network) =>
  network === 'public' ? isInternalAddress : isLinkLocalAddress
