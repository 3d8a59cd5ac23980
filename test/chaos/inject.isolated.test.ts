import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allWell, type Control, noteFault, readControl, writeControl } from '../../chaos/inject/control.ts'
import { failWrites } from '../../chaos/inject/fail-writes.ts'
import { shiftClock, upsetQueues } from '../../chaos/inject/inject.ts'
import { createRandom } from '../../shared/core/random/random.ts'
import { LocalQueue } from '../../shared/core/world/local/local-queue.ts'
import { openTestWorld, testFolder } from '../core/world/local/local-test-world.ts'

/** They change the classes of this process for good, so all share one control. */
let control: Control = allWell
const noted: string[] = []
const faults = {
  get control() {
    return control
  },
  chance: createRandom(5),
  note: (fault: string) => void noted.push(fault),
}
failWrites(faults)
upsetQueues(faults, LocalQueue)
shiftClock(faults)

test('a write that fails stores nothing and names the disk; on a full one what needs no room is still written', async () => {
  const world = await openTestWorld(await testFolder())
  const key = { partition: 'p', sort: 's' }
  await world.ledger.update({ key, set: { count: 1 } })
  control = { ...allWell, storage: 1 }
  await expect(world.ledger.update({ key, set: { count: 2 } })).rejects.toThrow(/disk I\/O error/)
  control = { ...allWell, full: true }
  await expect(world.objects.put('small', new Uint8Array(60_000))).rejects.toThrow(/disk is full/)
  await expect(world.objects.put('large', new Uint8Array(200_000))).rejects.toThrow(/disk is full/)
  await world.ledger.update({ key, add: { count: 2 } })
  control = allWell
  expect(await world.ledger.get(key)).toEqual({ count: 3 })
  expect(await world.objects.head('small')).toBeNull()
  await world.objects.put('large', new Uint8Array(200_000))
  expect((await world.objects.head('large'))?.size).toBe(200_000)
})

test('messages that are doubled and reordered all come, some twice', async () => {
  const { queues } = await openTestWorld(await testFolder())
  const sent = Array.from({ length: 40 }, (_, index) => index)
  await queues.episodes.send(sent.map((body) => ({ body, group: 'run' })))
  control = { ...allWell, duplicates: 0.4, reorder: 0.3 }
  const came: unknown[] = []
  for (let empty = 0; empty < 3; ) {
    const messages = await queues.episodes.receive({ max: 7, wait: 2, visibility: 60 })
    if (came.length >= 60) control = allWell
    empty = messages.length === 0 ? empty + 1 : 0
    if (new Set(came).size === sent.length) control = allWell
    for (const { body, receipt } of messages) {
      came.push(body)
      await queues.episodes.delete(receipt)
    }
  }
  control = allWell
  expect(new Set(came)).toEqual(new Set(sent))
  expect(came.length).toBeGreaterThan(sent.length)
  expect(came).not.toEqual(came.toSorted())
  expect(noted).toEqual(expect.arrayContaining(['duplicates', 'reorder']))
})

test('the clock jumps for Date alone, and back', () => {
  const before = performance.timeOrigin + performance.now()
  control = { ...allWell, clock: -600_000 }
  expect(Date.now()).toBeLessThan(before)
  expect(new Date() < new Date(before)).toBe(true)
  expect(new Date(5).getTime()).toBe(5)
  expect(new Date()).toBeInstanceOf(Date)
  control = allWell
  // The machine's clock may be corrected meanwhile, by much less than the jump.
  expect(Date.now()).toBeGreaterThan(before - 10_000)
})

test('a note of a fault is in the file at once, for a process that dies', async () => {
  const path = join(await testFolder(), 'chaos.json')
  writeControl(path, { ...allWell, clock: 5 })
  expect(readControl(path).clock).toBe(5)
  noteFault(path, 'storage')
  expect(readFileSync(`${path}.log`, 'utf8')).toBe('storage\n')
})
