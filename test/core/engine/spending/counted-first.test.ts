import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { LedgerChange, World } from '../../../../shared/core/world/ports.ts'
import { createHashEnvironment } from '../../../support/hash-environment.ts'
import { createHashModel } from '../../../support/hash-model.ts'
import { openTestEngine, toRequest, untilStatus, withTasks } from '../../../support/open-test-engine.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

const callsIn = (changes: readonly LedgerChange[]) =>
  changes.reduce((sum, { add }) => sum + Number(add?.model_calls ?? 0), 0)

test('no answer is written to a journal before its call is counted', async () => {
  const world = await openTestWorld()
  let asked = 0
  let counted = 0
  const atSegments: { asked: number; counted: number }[] = []
  const slow: World = {
    ...world,
    ledger: {
      get: (key) => world.ledger.get(key),
      query: (partition, options) => world.ledger.query(partition, options),
      update: (change) => world.ledger.update(change),
      async transact(changes) {
        if (callsIn(changes) > 0) await pass(20)
        const written = await world.ledger.transact(changes)
        if (written.ok) counted += callsIn(changes)
        return written
      },
    },
    objects: {
      put(key, body, options) {
        if (key.includes('/journal/')) atSegments.push({ asked, counted })
        return world.objects.put(key, body, options)
      },
      get: (key, range) => world.objects.get(key, range),
      head: (key) => world.objects.head(key),
      list: (prefix, options) => world.objects.list(prefix, options),
      delete: (key) => world.objects.delete(key),
      sign: (key, options) => world.objects.sign(key, options),
    },
  }
  const engine = openTestEngine({
    world: slow,
    environment: withTasks(createHashEnvironment(3, { depth: 6, disasters: 0 }), 1),
    model: createHashModel({
      onCall: () => {
        asked += 1
      },
    }),
  })
  const { id } = await engine.runs.create(toRequest({}))
  await engine.worker.start()
  await untilStatus(engine, id, 'succeeded', 'failed')
  expect(atSegments.length).toBeGreaterThan(3)
  expect(asked).toBe(3)
  for (const segment of atSegments) expect(segment.counted).toBe(segment.asked)
})
