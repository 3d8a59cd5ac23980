import { expect, test } from 'vitest'
import { openTestEngine, toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { heldModel } from './held-model.ts'

const hour = 3_600_000

test.each([hour, -hour])('limits.time holds as asked when the date is set by %i ms', async (jump) => {
  const world = await openTestWorld()
  let set = 0
  const clock = { ...world.clock, now: () => world.clock.now() + set }
  expect(clock.uptime).toBeDefined()
  const engine = openTestEngine({ world: { ...world, clock }, model: heldModel().model })
  await engine.worker.start()
  const long = await engine.runs.create(toRequest({ limits: { time: 600 } }))
  const short = await engine.runs.create(toRequest({ limits: { time: 0.2 } }))
  for (const { id } of [long, short])
    await expect.poll(async () => (await engine.runs.get(id)).running_seconds).toBeGreaterThan(0)
  set = jump
  await engine.sweep({ lostAfter: 3600 })
  const found = await engine.runs.get(long.id)
  expect(found.status).toBe('running')
  expect(found.running_seconds).toBeLessThan(60)
  await expect
    .poll(async () => {
      await engine.sweep({ lostAfter: 3600 })
      return (await engine.runs.get(short.id)).status
    })
    .toBe('paused')
  expect((await engine.runs.get(short.id)).status_reason).toContain('limits.time')
})
