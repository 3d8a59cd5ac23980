import { describe, expect, test } from 'vitest'
import { shareWorld } from '../../support/open-test-world.ts'
import { driveLoops, driveNewLoop, loopRequest, makeLoop, oneRound, openDrivenLoops } from './drive-loop.ts'
import { FakeService } from './fake-service.ts'

const shared = shareWorld()

describe('faults and caps', () => {
  test('a training that fails pauses the loop with its reason, and resume tries the same one again', async () => {
    const service = new FakeService()
    const driven = openDrivenLoops(shared.world, service.parts())
    service.trainingFault = { status: 'failed', error: 'The loss is not finite.' }
    const loop = await makeLoop(driven, loopRequest(oneRound))
    expect(loop).toMatchObject({ status: 'paused', progress: { round: 1, stage: 'train' } })
    expect(loop.reason).toContain('The loss is not finite.')
    service.trainingFault = null
    const own = driven.loops.of('default')
    await own.resume(loop.id)
    await driveLoops(driven)
    expect(await own.get(loop.id)).toMatchObject({ status: 'succeeded' })
    expect(service.trainings.size).toBe(1)
  })

  test('a dataset without rows pauses the loop, and resume builds a new one', async () => {
    const service = new FakeService({ rowsOf: () => [] })
    const driven = openDrivenLoops(shared.world, service.parts())
    const loop = await makeLoop(driven, loopRequest({ recipe: 'step-dpo', ...oneRound }))
    expect(loop).toMatchObject({ status: 'paused', progress: { stage: 'build' } })
    expect(loop.reason).toContain('has no rows (left out: 40 failed)')
    service.settings.rowsOf = () => ['train-0']
    const own = driven.loops.of('default')
    await own.resume(loop.id)
    await driveLoops(driven)
    const ended = await own.get(loop.id)
    expect(ended.status).toBe('succeeded')
    expect(ended.rounds[1]?.stages.find(({ id }) => id === 'build')).toMatchObject({
      tries: 2,
      status: 'succeeded',
    })
    expect(service.made.filter((key) => key.includes('build'))).toEqual([
      'round/1/build',
      'round/1/build/try/2',
    ])
  })

  test('no row of a held-out task is trained on, from whatever source', async () => {
    const { loop, service } = await driveNewLoop(shared.world, oneRound, {
      rowsOf: () => ['train-0', 'test-7'],
    })
    expect(loop).toMatchObject({ status: 'paused', progress: { stage: 'build-experts' } })
    expect(loop.reason).toContain('test-7')
    expect(service.trainings.size).toBe(0)
  })

  test('a base whose lineage holds held-out tasks ends the loop before anything is spent', async () => {
    const service = new FakeService()
    service.skills.set('model-leaky', 0.5)
    const driven = openDrivenLoops(shared.world, service.parts())
    const loop = await makeLoop(driven, loopRequest({ base: { registered: 'model-leaky' } }))
    expect(loop).toMatchObject({ status: 'failed', rounds: [] })
    expect(loop.reason).toContain('test-3')
    expect(service.made).toEqual([])
  })

  test('what is left of the caps is passed down, and reaching one pauses the loop', async () => {
    const { loop, service, go } = await driveNewLoop(
      shared.world,
      { ...oneRound, limits: { cost: 0.8, time: 1000 } },
      { cost: 0.5 },
    )
    const limits = [...service.runs.values()].map(({ request }) => request.limits)
    expect(limits[0]).toMatchObject({ cost: 0.8, time: expect.closeTo(1000, -2) })
    expect(limits[1]?.cost).toBeCloseTo(0.3)
    expect(loop).toMatchObject({ status: 'paused', usage: { cost: 0.8 } })
    expect(loop.reason).toContain('limits.cost')
    await expect(go({ cost: 0.7 })).rejects.toMatchObject({ param: 'limits.cost' })
    expect(await go({ cost: 5 })).toMatchObject({ status: 'succeeded', usage: { cost: 1.3 } })
  })

  test('every try of a stage counts in the usage and against the cap, with calls that were counted after it failed', async () => {
    const service = new FakeService({ cost: 0.5 })
    const driven = openDrivenLoops(shared.world, service.parts())
    const own = driven.loops.of('default')
    const { id } = await own.create(loopRequest({ ...oneRound, limits: { cost: 2 } }))
    await driveLoops(driven, {
      pause: async () => {
        const [first] = service.runs.values()
        if (first !== undefined) first.status = 'cancelled'
      },
    })
    expect(await own.get(id)).toMatchObject({ status: 'paused', usage: { cost: 0.5 } })
    service.settings.cost = 0.7
    await own.resume(id)
    await driveLoops(driven)
    const loop = await own.get(id)
    const costs = [...service.runs.values()].map(({ request }) => request.limits.cost)
    expect(costs.slice(0, 2)).toEqual([2, expect.closeTo(1.3)])
    expect(loop.rounds[0]?.stages.find(({ tries }) => tries === 2)?.earlier).toEqual({
      cost: 0.7,
      seconds: 10,
    })
    const spent = costs.reduce((sum: number, cost = 0) => sum + Math.min(cost, 0.7), 0)
    expect(loop.usage.cost).toBeCloseTo(spent)
    expect(spent).toBeLessThanOrEqual(2 + 1e-9)
  })

  test('a loop that has run for its time stops what is under way', async () => {
    const service = new FakeService()
    const { clock, pass } = movedClock()
    const driven = openDrivenLoops({ ...shared.world, clock }, service.parts())
    const own = driven.loops.of('default')
    const { id } = await own.create(loopRequest({ ...oneRound, limits: { time: 60 } }))
    await driveLoops(driven, { pause: async () => pass({ steady: 20_000 }) })
    const loop = await own.get(id)
    expect(loop).toMatchObject({ status: 'paused', reason: expect.stringContaining('limits.time') })
    await own.resume(id, { limits: { time: 100_000 } })
    await driveLoops(driven)
    expect((await own.get(id)).status).toBe('succeeded')
  })
})

describe('the date is set', () => {
  test.each([
    ['forward', 3_600_000],
    ['back', -3_600_000],
  ])('%s: a loop counts the seconds that passed, as it plays and when it is paused', async (_, jump) => {
    const { clock, pass } = movedClock()
    const driven = openDrivenLoops({ ...shared.world, clock }, new FakeService().parts())
    const own = driven.loops.of('default')
    const { id } = await own.create(loopRequest({ ...oneRound, limits: { time: 600 } }))
    let looks = 0
    const pause = async () => {
      looks += 1
      pass({ steady: 2000, date: jump })
    }
    await driveLoops(driven, { pause })
    expect(await own.get(id)).toMatchObject({ status: 'succeeded', running_seconds: 2 * (looks - 1) })
  })

  test('a paused loop keeps the seconds it has run', async () => {
    const { clock, pass } = movedClock()
    const driven = openDrivenLoops({ ...shared.world, clock }, new FakeService().parts())
    const own = driven.loops.of('default')
    const { id } = await own.create(loopRequest(oneRound))
    await driven.loops.handler.advance({ id, look: undefined, isRepeated: false })
    pass({ steady: 5000, date: 3_600_000 })
    expect(await own.pause(id)).toMatchObject({ running_seconds: 5 })
    pass({ steady: 70_000, date: -7_200_000 })
    expect(await own.resume(id)).toMatchObject({ running_seconds: 5 })
    pass({ steady: 1500, date: 0 })
    expect(await own.get(id)).toMatchObject({ running_seconds: 6.5 })
  })
})

/** A clock whose date and steady time a test moves. */
function movedClock() {
  let [now, milliseconds] = [Date.now(), 1000]
  return {
    clock: {
      ...shared.world.clock,
      now: () => now,
      uptime: () => ({ of: 'machine', milliseconds }),
    },
    pass({ steady, date = 0 }: { steady: number; date?: number }) {
      milliseconds += steady
      now += steady + date
    },
  }
}

describe('pause, resume, cancel', () => {
  async function begun() {
    const service = new FakeService()
    const driven = openDrivenLoops(shared.world, service.parts())
    const own = driven.loops.of('default')
    const { id } = await own.create(loopRequest({ recipe: 'step-dpo', ...oneRound }))
    while (service.runs.size === 0) {
      const next = driven.queue.shift()
      if (next === undefined) throw new Error('Nothing is under way.')
      driven.queue.push(...(await driven.loops.handler.advance({ id, look: next.look, isRepeated: false })))
    }
    const run = () => [...service.runs.values()][0]
    return { service, driven, own, id, run }
  }

  test('a paused loop stops its run, and goes on with the same one', async () => {
    const { driven, id, own, run, service } = await begun()
    expect(await own.pause(id)).toMatchObject({ status: 'paused', reason: 'Paused by request.' })
    await driveLoops(driven)
    expect(run()?.status).toBe('paused')
    await own.resume(id)
    await driveLoops(driven)
    expect(await own.get(id)).toMatchObject({ status: 'succeeded' })
    expect(new Set(service.made).size).toBe(service.made.length)
  })

  test('a cancelled loop ends its run and begins nothing more', async () => {
    const { driven, id, own, run, service } = await begun()
    await own.cancel(id)
    await driveLoops(driven)
    expect(run()?.status).toBe('cancelled')
    expect(service.made).toHaveLength(1)
    expect(await own.get(id)).toMatchObject({ status: 'cancelled' })
    await expect(own.resume(id)).rejects.toMatchObject({ code: 'invalid_state' })
  })

  test('a run that was cancelled by hand pauses the loop, and resume plays a new one', async () => {
    const { driven, id, own, run, service } = await begun()
    Object.assign(run() as object, { status: 'cancelled' })
    await driveLoops(driven)
    expect(await own.get(id)).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining('was cancelled'),
    })
    await own.resume(id)
    await driveLoops(driven)
    expect(await own.get(id)).toMatchObject({ status: 'succeeded' })
    expect(service.made.slice(0, 2)).toEqual(['round/0/evaluate', 'round/0/evaluate/try/2'])
  })

  test('of two messages about a loop only one has a successor', async () => {
    const { driven, id } = await begun()
    const [next] = driven.queue
    const advance = (isRepeated: boolean) =>
      driven.loops.handler.advance({ id, look: next?.look, isRepeated })
    const first = await advance(false)
    expect(first).toHaveLength(1)
    expect(await advance(false)).toEqual([])
    expect(await advance(true)).toEqual([{ ...first[0], delay: 1 }])
  })
})
