import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openCluster } from '../../local/cluster/open-cluster.ts'
import { describeMachine } from '../../local/describe-machine.ts'
import { wireLocalService } from '../../local/wire-local-service.ts'
import type { WorkerMachine } from '../../shared/core/contracts/machine.ts'
import { runRequestSchema } from '../../shared/core/contracts/run.ts'
import type { JoinedPorts, JoinedWorker } from '../../shared/core/engine/joining/join-gateway.ts'
import { openJoinedPorts } from '../../shared/core/engine/joining/open-joined-ports.ts'
import { ledgerKeys } from '../../shared/core/engine/keys.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { loadEndpoints } from '../../shared/play/models/load-endpoints.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { PostgresServer } from './postgres-server.ts'

/** Two workers of the tenant `a`, and one of `b`. */
export const joinedWorkers = {
  worker: { name: 'joined-one-1', tenant: 'a' },
  other: { name: 'joined-two-1', tenant: 'a' },
  stranger: { name: 'joined-three-1', tenant: 'b' },
} satisfies Record<string, JoinedWorker>

export async function openTenants(server: PostgresServer) {
  const address = server.newWorld()
  const folder = await temporaryFolder()
  const endpoints = await loadEndpoints({ path: join(folder, 'endpoints.json'), environment: {} })
  const log = () => undefined
  const places = { folder, world: address, objects: join(folder, 'objects') }
  const cluster = await openCluster(
    { ...places, endpoints, capacity: 8, log },
    { worker: 'service', duties: [], kind: 'service', processes: 1 },
  )
  onTestFinished(() => cluster.close())
  const { engine, world } = cluster
  const portsOf = openJoinedPorts({ world, placement: cluster.placement, tend: engine.tend })
  const schema = new URL(address).searchParams.get('schema')

  async function createRun(tenant: string, tasks: number, more: object = {}): Promise<string> {
    const { id } = await engine.runs.of(tenant).create(
      runRequestSchema.parse({
        environment: 'textcraft',
        method: { id: 'react' },
        tasks: { split: 'test', limit: tasks },
        model: { endpoint: 'simulated', id: 'simulated' },
        limits: { cost: 1 },
        ...more,
      }),
    )
    return id
  }

  /** Everything that the world holds, but marks of workers that change by themselves. */
  async function state(): Promise<unknown[]> {
    return server.ask(
      `select 'item' as kind, partition || ' ' || sort as name, item as value from ${schema}.ledger
         where partition not like 'taken/%' and partition <> 'workers' and partition not like 'tenant/%/rates'
       union all select 'object', key, etag from ${schema}.objects
       union all select 'message', queue || id, body || receives::text from ${schema}.messages order by 1, 2`,
    )
  }

  async function playAs(worker: JoinedWorker, run: string, ports: JoinedPorts): Promise<void> {
    const { models, engine: own } = await wireLocalService({
      folder,
      world: { ...world, ...ports } as World,
      endpoints,
      capacity: 8,
      code: cluster.code,
      worker: worker.name,
      duties: ['episodes', 'alone'],
      deaths: 'inferred',
      machine: { kind: 'joined' },
      tend: ports.tend,
      onError: cluster.onError,
    })
    await own.worker.start()
    while ((await engine.runs.of(worker.tenant).get(run)).ended_at === null) await world.clock.sleep(20)
    await own.worker.stop(10)
    await models.close()
  }

  async function announce(worker: JoinedWorker, over: Partial<WorkerMachine> = {}): Promise<void> {
    const machine = describeMachine({ kind: 'joined', capacity: 8, endpoints: endpoints.keys() })
    await portsOf(worker).ledger.update({
      key: ledgerKeys.worker(worker.name),
      set: { expires: world.clock.now() + 600_000, machine: { ...machine, ...over } },
    })
  }

  return { world, engine, portsOf, announce, createRun, state, playAs }
}

export type Tenants = Awaited<ReturnType<typeof openTenants>>
