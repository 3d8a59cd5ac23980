import { afterAll, beforeAll } from 'vitest'
import { describeHostsContract } from '../core/contracts/world/hosts-contract.ts'
import { describeLabelsContract } from '../core/contracts/world/labels-contract.ts'
import { describeLeaseContract } from '../core/contracts/world/lease-contract.ts'
import { describeLedgerContract } from '../core/contracts/world/ledger-contract.ts'
import { describeLogContract } from '../core/contracts/world/log-contract.ts'
import { describeObjectsContract } from '../core/contracts/world/objects-contract.ts'
import { describeQueueContract } from '../core/contracts/world/queue-contract.ts'
import { openClusterWorld } from './open-cluster-world.ts'
import { joinOpenly, serveOpenly } from './open-joined-worlds.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const name = 'a joined world'

async function openWorld() {
  const behind = await openClusterWorld(server.newWorld())
  const gateway = await serveOpenly(behind.world)
  const { world, dispose } = await joinOpenly(gateway.address)
  return {
    world,
    async dispose() {
      await dispose()
      await gateway.close()
      await behind.dispose()
    },
  }
}

describeObjectsContract(name, openWorld)
describeLedgerContract(name, openWorld)
describeLabelsContract(name, openWorld)
describeLeaseContract(name, openWorld)
describeQueueContract(name, openWorld, {
  chosen_groups: 'the service chooses the groups of joined workers',
})
describeLogContract(name, openWorld)
describeHostsContract(name, openWorld, { greeting: 'greeting', broken: 'broken' })
