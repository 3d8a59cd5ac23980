import { BlockList, isIP } from 'node:net'

type Subnet = readonly [net: string, prefix: number]

/**
 * Networks that the public cannot reach, the metadata service of clouds among them (IANA's special-purpose
 * registries).
 */
const internalIpv4: readonly Subnet[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Likewise. Networks whose addresses hold an IPv4 address are refused whole: a gateway may lead to any host. */
const internalIpv6: readonly Subnet[] = [
  ['::', 96], // unspecified, loopback, IPv4-compatible
  ['::ffff:0:0:0', 96], // IPv4-translated (RFC 2765)
  ['64:ff9b::', 96], // NAT64
  ['64:ff9b:1::', 48], // NAT64 of a network (RFC 8215)
  ['100::', 64], // discarded
  ['2001::', 23], // Teredo, benchmarks, ORCHID
  ['2002::', 16], // 6to4
  ['5f00::', 16], // segment routing
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10], // site-local
  ['ff00::', 8],
]

const internal = new BlockList()
for (const [net, prefix] of internalIpv4) internal.addSubnet(net, prefix, 'ipv4')
for (const [net, prefix] of internalIpv6) internal.addSubnet(net, prefix, 'ipv6')

/** Link-local networks and the metadata services of clouds, in every form: no server to call is there. */
const linkLocal = new BlockList()
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4')
for (const [net, prefix] of [
  ['::a9fe:0', 112],
  ['64:ff9b::a9fe:0', 112],
  ['2002:a9fe::', 32],
  ['fd00:ec2::', 32],
  ['fe80::', 10],
] satisfies Subnet[]) {
  linkLocal.addSubnet(net, prefix, 'ipv6')
}

const internalNames = /(^|\.)(localhost|local|internal|intranet|corp|lan|home\.arpa|localdomain)$/

/**
 * Recognizes IP addresses that the public cannot use. An IPv4 address mapped into IPv6 (`::ffff:`) counts as the IPv4
 * address.
 */
export function isInternalAddress(address: string): boolean {
  return isWithin(internal, address)
}

export function isLinkLocalAddress(address: string): boolean {
  return isWithin(linkLocal, address)
}

function isWithin(list: BlockList, address: string): boolean {
  const [bare = ''] = address.split('%')
  switch (isIP(bare)) {
    case 4:
      return list.check(bare, 'ipv4')
    case 6: {
      const mapped = mappedIpv4(bare)
      return mapped === null ? list.check(bare, 'ipv6') : list.check(mapped, 'ipv4')
    }
    default:
      return true
  }
}

function mappedIpv4(address: string): string | null {
  // URL writes each IPv6 address in its shortest form, with hexadecimal digits alone.
  const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(hostOf(`[${address}]`) ?? '') ?? []
  if (high === undefined || low === undefined) return null
  const [left, right] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [left >> 8, left & 255, right >> 8, right & 255].join('.')
}

/**
 * Recognizes a host that is internal by its name alone: an internal address in any notation (octal, hexadecimal, one
 * number), or a known internal name. The addresses of a public name show only at connection time.
 */
export function isInternalHost(hostname: string): boolean {
  const host = hostOf(hostname)
    ?.replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
  if (host === undefined) return true
  if (isIP(host) !== 0) return isInternalAddress(host) || host.startsWith('::ffff:')
  return !host.includes('.') || internalNames.test(host)
}

function hostOf(hostname: string): string | undefined {
  const isBareIpv6 = isIP(hostname) === 6
  return URL.parse(`http://${isBareIpv6 ? `[${hostname}]` : hostname}/`)?.hostname
}
