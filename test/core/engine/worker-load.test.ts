import { expect, onTestFinished, test, vi } from 'vitest'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestEngine, toRequest, untilStatus } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

test('a worker under load takes nothing, however many places are free, until the load is gone', async () => {
  let isLight = false
  const engine = openTestEngine({ world: await openTestWorld(), mayTake: () => isLight })
  const { id } = await engine.runs.create(toRequest({ tasks: { split: 'test', limit: 2 } }))
  await engine.worker.start()
  await pause(300)
  expect(engine.worker.playing).toBe(0)
  expect((await engine.runs.get(id)).episodes).toMatchObject({ active: 2, succeeded: 0, failed: 0 })
  isLight = true
  await untilStatus(engine, id, 'succeeded')
})

test('an episode that waits near a cap leaves its place to others', async () => {
  const [begun, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { complete, ...model } = createHashModel()
  let calls = 0
  const engine = openTestEngine({
    world: await openTestWorld(),
    capacity: 2,
    model: {
      ...model,
      async complete(...asked) {
        calls += 1
        begun.resolve()
        if (calls === 1) await going.promise
        return complete(...asked)
      },
    },
  })
  const capped = await engine.runs.create(
    toRequest({ tasks: { split: 'test', limit: 2 }, limits: { cost: 1 } }),
  )
  await engine.worker.start()
  await begun.promise
  const free = await engine.runs.create(toRequest({ tasks: { split: 'test', limit: 1 } }))
  await untilStatus(engine, free.id, 'succeeded')
  expect((await engine.runs.get(capped.id)).episodes).toMatchObject({ active: 2 })
  going.resolve()
  await untilStatus(engine, capped.id, 'succeeded')
})

test('what is played stays hidden from others for as long as it is played', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const world = await openTestWorld()
  const hidden = vi.spyOn(world.queues.episodes, 'extend')
  const answers = Promise.withResolvers<void>()
  const { complete, ...model } = createHashModel()
  const engine = openTestEngine({
    world,
    hiddenFor: 2,
    model: {
      ...model,
      async complete(...asked) {
        await answers.promise
        return complete(...asked)
      },
    },
  })
  const { id } = await engine.runs.create(toRequest({ tasks: { split: 'test', limit: 1 } }))
  await engine.worker.start()
  await expect.poll(() => engine.worker.playing).toBe(1)
  const extensions = () => hidden.mock.settledResults.filter(({ type }) => type === 'fulfilled').length
  // In all, more time than the two seconds for which the message was hidden at first.
  for (let passed = 0; passed < 5; passed += 1) {
    const before = extensions()
    await expect.poll(extensions).toBeGreaterThan(before)
    vi.setSystemTime(Date.now() + 600)
  }
  expect(await world.queues.episodes.receive({ max: 1, wait: 0, visibility: 0 })).toEqual([])
  answers.resolve()
  await untilStatus(engine, id, 'succeeded')
})
