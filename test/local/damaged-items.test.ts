import { expect, onTestFinished, test } from 'vitest'
import type { LogEntry } from '../../functions/api/log.ts'
import { openService, type Service } from '../../local/open-service.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { ledgerKeys } from '../../shared/core/engine/keys.ts'
import { RunStore } from '../../shared/core/engine/runs/run-store.ts'
import { Spending } from '../../shared/core/engine/spending/spending.ts'
import { retireWorker } from '../../shared/core/engine/workers.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import type { LedgerKey } from '../../shared/core/world/ports.ts'
import { flipItem } from '../core/world/local/flip-bits.ts'
import { readAllEvents } from '../functions/api/read-events.ts'
import { openTestEngine, toRequest } from '../support/open-test-engine.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const request = {
  environment: 'textcraft',
  tasks: { split: 'train', limit: 1 },
  method: { id: 'react' },
  model: { endpoint: 'simulated', id: 'simulated' },
}

async function createRun({ app }: Service): Promise<string> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  }
  return ((await (await app.request('/v1/runs', init)).json()) as Run).id
}

async function withOpenRuns(): Promise<{ folder: string; runs: [string, string] }> {
  const folder = await temporaryFolder()
  const service = await openService({ folder, work: false, log: () => undefined })
  const runs: [string, string] = [await createRun(service), await createRun(service)]
  await service.close()
  const world = await openLocalWorld({ folder })
  await retireWorker(world, 'gone')
  await world.close()
  return { folder, runs }
}

test.each<[string, (run: string) => LedgerKey]>([
  ['the row of one run', (run) => ledgerKeys.run(run)],
  ['the item that lists a run as open', (run) => ({ partition: 'open-runs', sort: run })],
  ['the row of an earlier worker', () => ledgerKeys.worker('gone')],
])(
  'a service starts and plays the other runs though %s is damaged, and logs the damage',
  async (_, keyOf) => {
    const { folder, runs } = await withOpenRuns()
    const key = keyOf(runs[0])
    flipItem(folder, key)
    const log: LogEntry[] = []
    const service = await openService({ folder, log: (entry) => void log.push(entry) })
    onTestFinished(() => service.close({ grace: 1 }))
    const events = await readAllEvents(await service.app.request(`/v1/runs/${runs[1]}/events`))
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'succeeded' } })
    const swept = log.find(({ what }) => what === 'sweeping')
    expect(swept?.error).toContain(`the item "${key.sort}" of "${key.partition}"`)
    const { damaged } = (await (await service.app.request('/health')).json()) as { damaged?: number }
    expect(damaged).toBeGreaterThan(0)
  },
)

test('the lease of a worker whose row is damaged is returned', async () => {
  const folder = await temporaryFolder()
  const world = await openLocalWorld({ folder })
  onTestFinished(() => world.close())
  const engine = openTestEngine({ world })
  const { id } = await engine.runs.create(toRequest({ limits: { cost: 1 } }))
  await world.ledger.update({ key: ledgerKeys.run(id), set: { status: 'running' } })
  const spending = new Spending({ world, store: new RunStore(world), worker: 'gone', callsAtOnce: 1 })
  const model = { endpoint: 'test', id: 'test' }
  await (await spending.meter(id, model).reserve({ cost: 0.001, tokens: 6 })).settle({
    input_tokens: 5,
    output_tokens: 1,
    cost: 0.001,
  })
  await spending.settled(id)
  await retireWorker(world, 'gone')
  expect(await world.ledger.get(ledgerKeys.holding('gone', id))).not.toBeNull()
  flipItem(folder, ledgerKeys.worker('gone'))
  await expect(engine.sweep({ lostAfter: 3600 })).rejects.toMatchObject({
    errors: [{ code: 'damaged_object' }],
  })
  expect(await world.ledger.get(ledgerKeys.holding('gone', id))).toBeNull()
})
