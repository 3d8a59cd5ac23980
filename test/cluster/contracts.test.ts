import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { ObjectIndex } from '../../shared/insight/transcripts/object-index.ts'
import { uniqueName } from '../core/contracts/world/contract-world.ts'
import { describeDamageContract } from '../core/contracts/world/damage-contract.ts'
import { describeHostsContract } from '../core/contracts/world/hosts-contract.ts'
import { describeLabelsContract } from '../core/contracts/world/labels-contract.ts'
import { describeLeaseContract } from '../core/contracts/world/lease-contract.ts'
import { describeLedgerContract } from '../core/contracts/world/ledger-contract.ts'
import { describeLogContract } from '../core/contracts/world/log-contract.ts'
import { describeObjectsContract } from '../core/contracts/world/objects-contract.ts'
import { describeQueueContract } from '../core/contracts/world/queue-contract.ts'
import { describeIndexContract } from '../insight/transcripts/index-contract.ts'
import { prefixedObjects } from '../support/prefixed-objects.ts'
import { type ClusterWorld, openClusterWorld } from './open-cluster-world.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const name = 'the PostgreSQL world'
const openWorld = () => openClusterWorld(server.newWorld())

describeObjectsContract(name, openWorld)
describeLedgerContract(name, openWorld)
describeLabelsContract(name, openWorld)
describeLeaseContract(name, openWorld)
describeLogContract(name, openWorld)
describeQueueContract(name, openWorld)
describeHostsContract(name, openWorld, { greeting: 'greeting', broken: 'broken' })

describeIndexContract(`objects of ${name}`, async () => {
  const { world, dispose } = await openWorld()
  onTestFinished(dispose)
  return new ObjectIndex(prefixedObjects(world.objects, `${uniqueName()}/`))
})

describeDamageContract(name, async () => {
  const opened = await openWorld()
  return { ...opened, flip: (key, at) => flip(opened, key, at) }
})

/** Flips a bit of a body, in its row or in its file. */
async function flip({ address, folder }: ClusterWorld, key: string, at: number): Promise<void> {
  const schema = new URL(address).searchParams.get('schema')
  const rows = await server.ask(
    `update ${schema}.objects set body = set_byte(body, ${at}, get_byte(body, ${at}) # 1) where key = '${key}' returning file`,
  )
  const name = rows[0]?.file
  if (typeof name !== 'string') return
  const file = await open(join(folder, 'bodies', name), 'r+')
  const byte = new Uint8Array(1)
  await file.read(byte, 0, 1, at)
  await file.write(
    byte.map((bits) => bits ^ 1),
    0,
    1,
    at,
  )
  await file.close()
}
