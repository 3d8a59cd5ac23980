import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type JoinedPorts, JoinGateway } from '../../shared/core/engine/joining/join-gateway.ts'
import { openJoinedWorld, type RemoteWorld } from '../../shared/core/world/joined/open-joined-world.ts'
import { LocalHosts } from '../../shared/core/world/local/local-hosts.ts'
import type { PostgresWorld } from '../../shared/core/world/postgres/open-postgres-world.ts'
import { type GatewayServer, serveGateway } from './serve-gateway.ts'

const beside = (file: string) => fileURLToPath(new URL(`../core/contracts/world/${file}`, import.meta.url))

const images = { greeting: beside('greeting-host.ts'), broken: beside('broken-host.ts') }

/**
 * Serves a gateway that permits everything: the contract writes where no worker may.
 * @param restarts true if the service restarts now: its memory is then empty
 */
export async function serveOpenly(
  world: PostgresWorld,
  restarts: () => boolean = () => false,
): Promise<GatewayServer> {
  const ports: JoinedPorts = { ...world, tend: async () => undefined }
  const closing = new AbortController()
  const start = () =>
    new JoinGateway({
      clock: world.clock,
      version: '0',
      portsOf: () => ports,
      closing: closing.signal,
      onError: (error) => console.error(error),
    })
  let gateway = start()
  const present = () => {
    if (restarts()) gateway = start()
    return gateway
  }
  return serveGateway(present, closing)
}

export async function joinOpenly(address: string): Promise<{ world: RemoteWorld; dispose(): Promise<void> }> {
  const logs = await mkdtemp(join(tmpdir(), 'espalier-joined-'))
  const world = await openJoinedWorld({
    ...{ address, token: 'open', worker: `joined-${randomUUID()}` },
    hosts: new LocalHosts(images, logs),
  })
  return {
    world,
    async dispose() {
      await world.close()
      await rm(logs, { recursive: true })
    },
  }
}
