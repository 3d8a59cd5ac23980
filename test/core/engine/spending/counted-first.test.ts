import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readSpending } from '../../../../shared/core/engine/spending/spending-row.ts'
import type { World } from '../../../../shared/core/world/ports.ts'
import { beforeChanges } from '../../../support/before-changes.ts'
import { createHashEnvironment } from '../../../support/hash-environment.ts'
import { createHashModel } from '../../../support/hash-model.ts'
import { openTestEngine, toRequest, untilStatus, withTasks } from '../../../support/open-test-engine.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

test('no answer is written to a journal before its call is counted', async () => {
  const world = await openTestWorld()
  let run = ''
  let asked = 0
  const atSegments: { asked: number; counted: number }[] = []
  const { objects } = world
  const watched: World = {
    ...beforeChanges(world, async (changes) => {
      if (changes.some(({ add }) => Number(add?.model_calls ?? 0) > 0)) await pass(20)
    }),
    objects: {
      async put(key, body, options) {
        if (key.includes('/journal/'))
          atSegments.push({ asked, counted: (await readSpending(world.ledger, run)).model_calls })
        return objects.put(key, body, options)
      },
      get: (key, range) => objects.get(key, range),
      head: (key) => objects.head(key),
      list: (prefix, options) => objects.list(prefix, options),
      delete: (key) => objects.delete(key),
      sign: (key, options) => objects.sign(key, options),
    },
  }
  const engine = openTestEngine({
    world: watched,
    environment: withTasks(createHashEnvironment(3, { depth: 6, disasters: 0 }), 1),
    model: createHashModel({
      onCall: () => {
        asked += 1
      },
    }),
  })
  run = (await engine.runs.create(toRequest({}))).id
  await engine.worker.start()
  await untilStatus(engine, run, 'succeeded', 'failed')
  expect(atSegments.length).toBeGreaterThan(3)
  expect(asked).toBe(3)
  for (const segment of atSegments) expect(segment.counted).toBe(segment.asked)
})
