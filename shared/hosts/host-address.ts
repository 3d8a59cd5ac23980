import { BlockList, isIPv4 } from 'node:net'

/** Where hosts may be: in the network of the hosts, or on this machine. */
export type HostNetwork = 'private' | 'this-machine'

const networks: Record<HostNetwork, BlockList> = { private: new BlockList(), 'this-machine': new BlockList() }
networks.private.addSubnet('10.0.0.0', 8)
networks.private.addSubnet('172.16.0.0', 12)
networks.private.addSubnet('192.168.0.0', 16)
networks['this-machine'].addSubnet('127.0.0.0', 8)

/**
 * The origin of a host's address when it is one where hosts may be: `http`, an IPv4 address of the network, a port, and no
 * more. Addresses come from the registry; the check holds even if an attacker can write to it.
 */
export function hostOrigin(address: string, network: HostNetwork): string | null {
  const url = URL.parse(address)
  if (url === null || url.protocol !== 'http:' || url.port === '') return null
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.pathname !== '/') return null
  return isIPv4(url.hostname) && networks[network].check(url.hostname) ? url.origin : null
}
