import { describe, expect, test } from 'vitest'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { lossyObjects } from '../../support/faulty-objects.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import {
  openTestEngine,
  type TestEngine,
  toRequest,
  untilStatus,
  withTasks,
} from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { createTestEnvironment } from '../../support/test-environment.ts'
import { heldModel } from './held-model.ts'

const final = ['succeeded', 'failed', 'cancelled'] as const

async function allEpisodes({ runs }: TestEngine, run: string): Promise<Episode[]> {
  return (await runs.episodes(run, { limit: 1000 })).data
}

async function trees(engine: TestEngine, world: World, run: string): Promise<string[]> {
  const texts: string[] = []
  for (const { id } of await allEpisodes(engine, run)) {
    const tree = await engine.runs.tree(run, id)
    if (!('stored' in tree)) throw new Error(`${id} has no stored tree`)
    texts.push(Buffer.from((await world.objects.get(tree.stored))?.body ?? []).toString())
  }
  return texts
}

describe('a run', () => {
  test('plays every task once per epoch and counts each end once', async () => {
    const engine = openTestEngine({ world: await openTestWorld() })
    await engine.worker.start()
    const { id } = await engine.runs.create(toRequest({ epochs: 2, max_parallel: 7 }))
    const run = await untilStatus(engine, id, ...final)
    expect(run.status).toBe('succeeded')
    const { total, waiting, active, succeeded, failed } = run.episodes
    expect([total, waiting, active, succeeded + failed]).toEqual([40, 0, 0, 40])
    const episodes = await allEpisodes(engine, id)
    expect(new Set(episodes.map(({ task, epoch }) => `${task}/${epoch}`)).size).toBe(40)
    expect(episodes.every(({ result }) => result?.reward !== null)).toBe(true)
    const used = episodes.reduce((sum, { result }) => sum + (result?.usage.model_calls ?? 0), 0)
    expect(run.usage.model_calls).toBe(used)
    expect(run.usage.cost).toBeCloseTo(used * 0.0005, 9)
    const events = await engine.runs.events(id, { after: 0, limit: 1000 })
    expect(events.filter(({ type }) => type === 'episode.ended')).toHaveLength(40)
    expect(events.map(({ sequence }) => sequence)).toEqual(
      events.map(({ sequence }) => sequence).toSorted((a, b) => a - b),
    )
    expect(events.at(-1)).toMatchObject({ type: 'run.status', status: 'succeeded' })
    expect(engine.errors).toEqual([])
  })

  test('of 100,000 episodes is answered at once, with at most max_parallel of them queued', async () => {
    const engine = openTestEngine({ world: await openTestWorld() })
    const run = await engine.runs.create(toRequest({ epochs: 5000, max_parallel: 50 }))
    expect(run.episodes).toMatchObject({ total: 100_000, waiting: 99_950, active: 50 })
    const page = await engine.runs.episodes(run.id, { limit: 5, after: 'ep-0099989' })
    expect(page.data.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4].map((offset) => `ep-00999${90 + offset}`))
  })

  test('gives the same trees when every message comes twice, two workers play and answers are lost', async () => {
    const request = toRequest({ method: { id: 'mcts', iterations: 2, samples: 2, max_depth: 3 } })
    const calm = await openTestWorld()
    const reference = openTestEngine({ world: calm })
    await reference.worker.start()
    const expected = await reference.runs.create(request)
    await untilStatus(reference, expected.id, ...final)

    const world = await openTestWorld()
    const { episodes } = world.queues
    const random = seededRandom('faults')
    const rough: World = {
      ...world,
      objects: lossyObjects(world.objects, () => random() < 0.1),
      queues: {
        ...world.queues,
        episodes: {
          dead_letters: episodes.dead_letters,
          receive: (options) => episodes.receive(options),
          delete: (receipt) => episodes.delete(receipt),
          extend: (receipt, visibility) => episodes.extend(receipt, visibility),
          send: (messages) => episodes.send([...messages, ...messages]),
        },
      },
    }
    const [left, right] = ['left', 'right'].map((worker) => openTestEngine({ world: rough, worker })) as [
      TestEngine,
      TestEngine,
    ]
    await Promise.all([left.worker.start(), right.worker.start()])
    const run = await left.runs.create(request)
    const ended = await untilStatus(left, run.id, ...final)
    expect(ended.episodes.succeeded + ended.episodes.failed).toBe(20)
    expect(await trees(left, world, run.id)).toEqual(await trees(reference, calm, expected.id))
    expect([...left.errors, ...right.errors]).toEqual([])
  })

  test('created twice with one idempotency key is one run; another body under the key is refused', async () => {
    const engine = openTestEngine({ world: await openTestWorld() })
    const request = toRequest()
    const made = await Promise.all(
      [1, 2, 3].map(() => engine.runs.create(request, { idempotencyKey: 'key' })),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    await expect(engine.runs.create(toRequest({ seed: 1 }), { idempotencyKey: 'key' })).rejects.toMatchObject(
      {
        code: 'idempotency_key_reused',
      },
    )
    expect((await engine.runs.list({ limit: 10 })).data).toHaveLength(1)
  })
})

describe('errors', () => {
  const environment = withTasks(
    createTestEnvironment<{ path: string[]; task: string }>({
      reset: (task) => ({ state: { path: [], task }, observation: `start of ${task}` }),
      step: ({ path, task }, action) => {
        if (task === 'task-3') throw new Error('The simulator has crashed.')
        const next = createHashEnvironment(1).step({ path }, action)
        return { ...next, state: { ...next.state, task } }
      },
    }),
    10,
  )

  test('an episode whose environment throws is errored, has no reward, and is tried no more than once again', async () => {
    const engine = openTestEngine({ world: await openTestWorld(), environment })
    await engine.worker.start()
    const { id } = await engine.runs.create(toRequest({ max_retries: 5 }))
    const run = await untilStatus(engine, id, ...final)
    expect(run).toMatchObject({ status: 'succeeded', episodes: { errored: 1 } })
    const { data } = await engine.runs.episodes(id, { limit: 10, status: 'errored' })
    expect(data).toMatchObject([
      {
        task: 'task-3',
        starts: 2,
        result: {
          reward: null,
          success: null,
          error: { name: 'Error', message: 'The simulator has crashed.' },
        },
      },
    ])
  })

  test('retry plays the errored episodes again, and only those', async () => {
    const world = await openTestWorld()
    const broken = openTestEngine({ world, environment, worker: 'broken' })
    await broken.worker.start()
    const { id } = await broken.runs.create(toRequest({ max_retries: 0 }))
    const before = await untilStatus(broken, id, ...final)
    await broken.worker.stop(1)
    const mended = openTestEngine({
      world,
      environment: withTasks(createHashEnvironment(1), 10),
      worker: 'mended',
    })
    await mended.worker.start()
    await mended.runs.retry(id)
    const run = await untilStatus(mended, id, ...final)
    expect(run.episodes.errored).toBe(0)
    expect(run.episodes.succeeded + run.episodes.failed).toBe(10)
    expect(run.usage.model_calls).toBeGreaterThan(before.usage.model_calls)
    const episodes = await allEpisodes(mended, id)
    expect(episodes.filter(({ starts }) => starts > 1).map(({ task }) => task)).toEqual(['task-3'])
    await expect(mended.runs.retry(id)).rejects.toMatchObject({ code: 'invalid_state' })
  })

  test('a model that fails for a while is tried again until it answers', async () => {
    let failures = 3
    const hash = createHashModel()
    const engine = openTestEngine({
      world: await openTestWorld(),
      environment: withTasks(createHashEnvironment(1), 1),
      model: {
        complete: (request, parts) => {
          failures -= 1
          return failures < 0
            ? hash.complete(request, parts)
            : Promise.reject(Object.assign(new Error('overloaded'), { transient: true }))
        },
      },
    })
    await engine.worker.start()
    const { id } = await engine.runs.create(toRequest({ max_retries: 3 }))
    const run = await untilStatus(engine, id, ...final)
    expect(run.episodes.errored).toBe(0)
    expect((await allEpisodes(engine, id))[0]).toMatchObject({ errors: 3 })
  })
})

describe('caps', () => {
  test('a run stopped by its cap is paused with the reason, never overspends, and resume with a higher cap finishes it', async () => {
    const engine = openTestEngine({ world: await openTestWorld() })
    await engine.worker.start()
    const { id } = await engine.runs.create(toRequest({ limits: { cost: 0.02 } }))
    const paused = await untilStatus(engine, id, 'paused')
    expect(paused.status_reason).toMatch(/limits\.cost reached: .*Resume with a higher limits\.cost/)
    expect(paused.usage.cost).toBeLessThanOrEqual(0.02)
    expect(paused.episodes.waiting + paused.episodes.active).toBeGreaterThan(0)
    await engine.runs.resume(id, { limits: { cost: 10 } })
    const run = await untilStatus(engine, id, ...final)
    expect(run.episodes.succeeded + run.episodes.failed).toBe(20)
    const used = (await allEpisodes(engine, id)).reduce(
      (sum, { result }) => sum + (result?.usage.model_calls ?? 0),
      0,
    )
    expect(run.usage.model_calls).toBe(used)
  })

  test('a cap on time pauses the run', async () => {
    const engine = openTestEngine({ world: await openTestWorld(), model: heldModel(1).model })
    await engine.worker.start()
    const { id } = await engine.runs.create(toRequest({ limits: { time: 0.05 } }))
    await expect.poll(async () => (await engine.runs.get(id)).usage.input_tokens).toBeGreaterThan(1)
    await expect.poll(async () => (await engine.runs.get(id)).running_seconds).toBeGreaterThan(0)
    await engine.sweep({ lostAfter: 3600 })
    expect(await engine.runs.get(id)).toMatchObject({
      status: 'paused',
      status_reason: expect.stringContaining('limits.time'),
    })
    const goesOn = (limits: object) => engine.runs.resume(id, { limits })
    await expect(goesOn({})).rejects.toMatchObject({ code: 'invalid_request', param: 'limits.time' })
    await expect(goesOn({ time: 60, tokens: 1 })).rejects.toMatchObject({ param: 'limits.tokens' })
    expect(await engine.runs.get(id)).toMatchObject({ status: 'paused', request: { limits: { time: 0.05 } } })
    expect(await goesOn({ time: 60 })).toMatchObject({ status: 'running' })
  })

  test('an episode stopped by its own limit is limited, with the reward of its tree, or without where money stopped it', async () => {
    const engine = openTestEngine({ world: await openTestWorld() })
    await engine.worker.start()
    const byTurns = await engine.runs.create(toRequest({ episode_limits: { turns: 1 } }))
    const byCost = await engine.runs.create(toRequest({ episode_limits: { cost: 0.0001 } }))
    for (const { id } of [byTurns, byCost]) await untilStatus(engine, id, ...final)
    const limited = async (run: string) =>
      (await engine.runs.episodes(run, { limit: 100, status: 'limited' })).data
    const [turns, cost] = [await limited(byTurns.id), await limited(byCost.id)]
    expect(turns.length).toBeGreaterThan(0)
    expect(turns.every(({ result }) => result?.limit === 'turns' && typeof result.reward === 'number')).toBe(
      true,
    )
    expect(cost.length).toBeGreaterThan(0)
    expect(cost.every(({ result }) => result?.limit === 'cost' && result.reward === null)).toBe(true)
  })
})

describe('life cycle', () => {
  test('pause stops every episode at its next effect, resume finishes them all', async () => {
    const engine = openTestEngine({ world: await openTestWorld(), model: createHashModel({ delay: 900 }) })
    await engine.worker.start()
    const { id } = await engine.runs.create(toRequest({ max_parallel: 10 }))
    await untilStatus(engine, id, 'running')
    const paused = await engine.runs.pause(id)
    expect(paused).toMatchObject({ status: 'paused', status_reason: 'Paused by request.' })
    await expect.poll(() => engine.worker.playing).toBe(0)
    const before = await engine.runs.get(id)
    expect(before.episodes.active + before.episodes.waiting).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect((await engine.runs.get(id)).usage).toEqual(before.usage)
    await engine.runs.resume(id, {})
    const run = await untilStatus(engine, id, ...final)
    expect(run.episodes.succeeded + run.episodes.failed).toBe(20)
  })

  test('cancel ends the run, and nothing of it is played on', async () => {
    const engine = openTestEngine({ world: await openTestWorld(), model: createHashModel({ delay: 60 }) })
    await engine.worker.start()
    const { id } = await engine.runs.create(toRequest({ epochs: 10, max_parallel: 10 }))
    await untilStatus(engine, id, 'running')
    const run = await engine.runs.cancel(id)
    expect(run.status).toBe('cancelled')
    const { total, succeeded, failed, cancelled } = run.episodes
    expect(succeeded + failed + cancelled).toBe(total)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const later = await engine.runs.get(id)
    expect(later.episodes).toEqual(run.episodes)
    const statuses = new Set(
      (await engine.runs.episodes(id, { limit: 1000 })).data.map(({ status }) => status),
    )
    expect([...statuses].every((status) => ['succeeded', 'failed', 'cancelled'].includes(status))).toBe(true)
    await expect(engine.runs.resume(id, {})).rejects.toMatchObject({ code: 'invalid_state' })
  })

  test('extend from 4 to 8 iterations equals 8 from the start, with only the missing calls made', async () => {
    const method = (iterations: number) => ({ id: 'mcts', iterations, samples: 3, max_depth: 4 })
    const world = await openTestWorld()
    const engine = openTestEngine({ world })
    await engine.worker.start()
    const whole = await engine.runs.create(toRequest({ method: method(8) }))
    const part = await engine.runs.create(toRequest({ method: method(4) }))
    const [wholeRun, partRun] = [
      await untilStatus(engine, whole.id, ...final),
      await untilStatus(engine, part.id, ...final),
    ]
    expect(partRun.usage.model_calls).toBeLessThan(wholeRun.usage.model_calls)
    await engine.runs.extend(part.id, { method: { iterations: 8 } })
    const extended = await untilStatus(engine, part.id, ...final)
    expect(await trees(engine, world, part.id)).toEqual(await trees(engine, world, whole.id))
    expect(extended.usage.model_calls).toBe(wholeRun.usage.model_calls)
    await expect(engine.runs.extend(part.id, { method: { samples: 9 } })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'method.samples',
    })
  })

  test('a worker that stops leaves its episodes to the next one', async () => {
    const world = await openTestWorld()
    const { model, release } = heldModel(10)
    const first = openTestEngine({ world, worker: 'first', model })
    await first.worker.start()
    const { id } = await first.runs.create(toRequest({}))
    await untilStatus(first, id, 'running')
    const stopped = first.worker.stop(5)
    release()
    await stopped
    expect((await first.runs.get(id)).status).toBe('running')
    const second = openTestEngine({ world, worker: 'second' })
    await second.worker.start()
    const run = await untilStatus(second, id, ...final)
    expect(run.episodes.succeeded + run.episodes.failed).toBe(20)
    const used = (await allEpisodes(second, id)).reduce(
      (sum, { result }) => sum + (result?.usage.model_calls ?? 0),
      0,
    )
    expect(run.usage.model_calls).toBe(used)
    expect(run.lost_calls).toBe(0)
  })

  test('code that no longer fits a journal starts the episode afresh once, and gives up when that does not help', async () => {
    const world = await openTestWorld()
    const method = { id: 'mcts', iterations: 1, samples: 2, max_depth: 2 }
    const old = openTestEngine({
      world,
      worker: 'old',
      code: 'old',
      environment: withTasks(createHashEnvironment(1), 5),
    })
    await old.worker.start()
    const { id } = await old.runs.create(toRequest({ method }))
    await untilStatus(old, id, ...final)
    await old.worker.stop(1)
    const changed = openTestEngine({
      world,
      worker: 'new',
      code: 'new',
      environment: withTasks(createHashEnvironment(2), 5),
    })
    await changed.worker.start()
    await changed.runs.extend(id, { method: { iterations: 2 } })
    const run = await untilStatus(changed, id, ...final)
    expect(run.episodes.errored).toBe(0)
    const episodes = await allEpisodes(changed, id)
    expect(episodes.every(({ result }) => result?.attempt === 2)).toBe(true)
  })
})
