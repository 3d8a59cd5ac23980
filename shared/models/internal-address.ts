import { lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Addresses that no one outside of a network reaches, the metadata service of clouds among them (RFC 6890). */
const internal = new BlockList()
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  internal.addSubnet(net, prefix, 'ipv4')
}
for (const [net, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  internal.addSubnet(net, prefix, 'ipv6')
}

/** Names that lead into a network rather than to the public one. */
const internalNames = /(^|\.)(localhost|local|internal|lan|home\.arpa|localdomain)$/

/** Whether an IP address is of no use to the public; one that is embedded in IPv6 counts as itself. */
export function isInternalAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return isInternalAddress(mapped)
  const family = isIP(address)
  return family === 0 || internal.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Whether the host of a URL is internal by its name alone: an internal address in any notation, since `URL` writes each in one
 * way, or a name that is known to be internal. What a public name resolves to shows only when it is connected to.
 */
export function isInternalHost(hostname: string): boolean {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (isIP(host) !== 0) return isInternalAddress(host) || /^::ffff:/.test(host)
  return !host.includes('.') || internalNames.test(host)
}

/** The code of the error that an address is within the network. */
export const internalAddressCode = 'ERR_INTERNAL_ADDRESS'

/** Looks up a name for a connection, and fails where it leads into the network: a public name may, and may come to. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0)
    const inside = addresses.find(({ address }) => isInternalAddress(address))
    if (inside !== undefined) {
      const refused = new Error(`${hostname} leads to an address within the network.`)
      return callback(Object.assign(refused, { code: internalAddressCode }), '', 0)
    }
    if (options.all) return callback(null, addresses)
    const [first] = addresses
    return callback(null, first?.address ?? '', first?.family ?? 4)
  })
}
