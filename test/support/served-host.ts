import { createHostApp } from '../../containers/env-host/create-host-app.ts'
import { ServedEnvironments } from '../../containers/env-host/served-environments.ts'
import type { ServedEnvironment } from '../../containers/env-host/session-backend.ts'
import { SessionTable } from '../../containers/env-host/session-table.ts'
import type { HostCall, HostCaller } from '../../shared/core/contracts/host-call.ts'
import type { Json } from '../../shared/core/contracts/json.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { HostRegistry } from '../../shared/environments/hosts/host-registry.ts'
import { hostRoute } from '../../shared/environments/hosts/send-host-call.ts'

/** One host that serves an environment, in this process, as the only one of its image. */
export async function openServedHost(
  world: World,
  served: ServedEnvironment,
  image: string,
  slots = 4,
): Promise<{ caller: HostCaller; calls: HostCall[] }> {
  const calls: HostCall[] = []
  const environments = new ServedEnvironments([served])
  const app = createHostApp(new SessionTable({ environments, slots, sessionIdle: 600 }))
  const caller: HostCaller = {
    async call(call) {
      calls.push(call)
      const { method, path, body } = hostRoute(call)
      const headers = { 'content-type': 'application/json' }
      const response = await app.request(path, { method, body, headers })
      return { status: response.status, body: (await response.json()) as Json }
    },
  }
  const registry = new HostRegistry(world.ledger)
  const now = world.clock.now()
  await registry.enter({
    id: 'host',
    image,
    address: 'http://127.0.0.1:1',
    status: 'starting',
    slots,
    sessions: 0,
    draining: false,
    launched_at: now,
    seen_at: now,
    idle_since: now,
  })
  await registry.open('host')
  return { caller, calls }
}
