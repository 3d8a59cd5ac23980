import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenWorld } from '../core/contracts/world/contract-world.ts'
import { describeLabelsContract } from '../core/contracts/world/labels-contract.ts'
import { describeLeaseContract } from '../core/contracts/world/lease-contract.ts'
import { describeLedgerContract } from '../core/contracts/world/ledger-contract.ts'
import { describeLogContract } from '../core/contracts/world/log-contract.ts'
import { describeObjectsContract } from '../core/contracts/world/objects-contract.ts'
import type { FaultProxy } from './emulators/fault-proxy.ts'
import { openFaultyWorld } from './faulty-world.ts'
import { isAccount } from './not-shown.ts'

/** Nothing is lost on the way here: the contract allows a put whose answer was lost to say that it was not made. */
const faults = {
  rates: { conflict: 0.08, throttle: 0.05, unavailable: 0.05, lost: 0 },
  seed: 1,
  sparesAttempt: 4,
}
const proxies: FaultProxy[] = []
const openWorld: OpenWorld = async () => {
  const opened = await openFaultyWorld(faults)
  proxies.push(...opened.proxies)
  return opened
}

if (isAccount) {
  test('an account makes its own faults', () => {
    expect(isAccount).toBe(true)
  })
} else {
  const name = 'services that conflict, throttle and fail'
  describeObjectsContract(name, openWorld)
  describeLedgerContract(name, openWorld)
  describeLabelsContract(name, openWorld)
  describeLeaseContract(name, openWorld)
  describeLogContract(name, openWorld)

  describe('queues that throttle and fail', () => {
    let opened: Awaited<ReturnType<typeof openFaultyWorld>>
    beforeAll(async () => {
      opened = await openFaultyWorld({
        ...faults,
        rates: { conflict: 0, throttle: 0.2, unavailable: 0.1, lost: 0 },
      })
      proxies.push(...opened.proxies)
    })
    afterAll(() => opened.dispose())

    test('lose no message, and give out none that was deleted', async () => {
      const queue = opened.world.queues.episodes
      const bodies = Array.from({ length: 60 }, (_, index) => `message ${index}`)
      await queue.send(bodies.map((body) => ({ body, group: 'run_1' })))
      const seen: unknown[] = []
      while (seen.length < bodies.length) {
        const messages = await queue.receive({ max: 10, wait: 1, visibility: 60 })
        await Promise.all(messages.map(({ receipt }) => queue.delete(receipt)))
        seen.push(...messages.map(({ body }) => body))
      }
      expect(seen.toSorted()).toEqual(bodies.toSorted())
      expect(await queue.receive({ max: 10, wait: 1, visibility: 1 })).toEqual([])
    })
  })

  test('of each kind some were made', () => {
    const made = (service: string, kind: keyof FaultProxy['faults']) =>
      proxies.filter((proxy) => proxy.service === service).reduce((sum, { faults }) => sum + faults[kind], 0)
    for (const service of ['s3', 'dynamodb']) {
      for (const kind of ['conflict', 'throttle', 'unavailable'] as const)
        expect(made(service, kind), `${service} ${kind}`).toBeGreaterThan(0)
    }
    expect(made('sqs', 'throttle')).toBeGreaterThan(0)
  })
}
