import { afterAll, beforeAll, expect, test } from 'vitest'
import { episodeId } from '../../shared/core/contracts/episode.ts'
import type { JoinedWorker } from '../../shared/core/engine/joining/join-gateway.ts'
import { ledgerKeys } from '../../shared/core/engine/keys.ts'
import type { LedgerChange, LedgerCondition } from '../../shared/core/world/ports.ts'
import { joinedWorkers, openTenants } from './open-tenants.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const { worker, other, stranger } = joinedWorkers
const heldBy = ({ name }: JoinedWorker): LedgerCondition[] => [
  { attribute: 'worker', is: 'equal', value: name },
]

test('a joined worker shows the bound of a call beside its own turn, and changes nothing else there', async () => {
  const tenants = await openTenants(server)
  for (const each of [worker, other, stranger]) await tenants.announce(each)
  const run = await tenants.createRun('a', 1)
  const { ledger, queues } = tenants.portsOf(worker)
  await queues.episodes.receive({ max: 1, wait: 1, visibility: 600 })
  const key = ledgerKeys.turn(run, 0)
  const turn = { run, episode: episodeId(0), worker: worker.name, take: 1 }
  expect(await ledger.update({ key, set: turn, if: [{ is: 'absent' }] })).toMatchObject({ ok: true })

  const bound = { call_cost: 5_000_000, call_tokens: 5000 }
  expect(await ledger.update({ key, set: bound, if: heldBy(worker) })).toMatchObject({ ok: true })
  const shown = { ...turn, ...bound }
  expect(await tenants.world.ledger.get(key)).toEqual(shown)

  const wrong: Omit<LedgerChange, 'key'>[] = [
    { set: { ...bound, call_cost: -1 }, if: heldBy(worker) },
    { set: { call_cost: 1 }, if: heldBy(worker) },
    { set: { ...bound, call_tokens: '5000' }, if: heldBy(worker) },
    { set: { ...bound, episode: episodeId(1) }, if: heldBy(worker) },
    { set: bound, if: heldBy(other) },
    { set: bound },
    { add: bound, if: heldBy(worker) },
  ]
  for (const change of wrong) {
    await expect(ledger.update({ key, ...change })).rejects.toThrow('This worker may not')
  }
  const ofOther = await tenants.portsOf(other).ledger.update({ key, set: bound, if: heldBy(other) })
  expect(ofOther).toMatchObject({ ok: false })
  const ofStranger = tenants.portsOf(stranger).ledger.update({ key, set: bound, if: heldBy(stranger) })
  await expect(ofStranger).rejects.toThrow('There is no run')
  expect(await tenants.world.ledger.get(key)).toEqual(shown)
})
