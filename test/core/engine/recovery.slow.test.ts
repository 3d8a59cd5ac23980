import { expect, test } from 'vitest'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { ChatModel } from '../../../shared/play/models/chat-model.ts'
import { beforeChanges } from '../../support/before-changes.ts'
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
import { heldModel } from './held-model.ts'

const final = ['succeeded', 'failed', 'cancelled'] as const
const small = () => withTasks(createHashEnvironment(1), 4)
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

async function statuses({ runs }: TestEngine, run: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status } of (await runs.episodes(run, { limit: 1000 })).data)
    counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('a run that is resumed while its calls still drain from the pause goes on', async () => {
  const engine = openTestEngine({
    world: await openTestWorld(),
    environment: small(),
    model: createHashModel({ delay: 2500 }),
  })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ episode_limits: { turns: 1 } }))
  await untilStatus(engine, id, 'running')
  await engine.runs.pause(id)
  await pause(1100)
  await engine.runs.resume(id, {})
  expect((await untilStatus(engine, id, ...final)).episodes.active).toBe(0)
})

test('a worker that is fenced off although it holds the claim gives the episode back', async () => {
  const world = await openTestWorld()
  const environment = withTasks(createHashEnvironment(3, { depth: 6, disasters: 0 }), 1)
  const [first, second] = [heldModel(1), heldModel()]
  const slow = openTestEngine({ world, environment, worker: 'slow', model: first.model })
  const thief = openTestEngine({ world, environment, worker: 'thief', model: second.model })
  const { id } = await slow.runs.create(toRequest({}))
  await slow.worker.start()
  await untilStatus(slow, id, 'running')
  await world.ledger.update({ key: { partition: 'workers', sort: 'slow' }, set: { expires: 0 } })
  await thief.worker.start()
  const stolen = thief.runner.play({ body: { run: id, episode: 'ep-0000000' } }, false)
  const row = () => world.ledger.get(ledgerKeys.episode(id, episodeId(0)))
  await expect.poll(async () => (await row())?.worker).toBe('thief')
  first.release()
  await expect.poll(() => slow.runner.taken).toEqual([])
  second.release()
  await stolen
  const run = await untilStatus(thief, id, ...final)
  expect(run.episodes.errored).toBe(0)
})

test('storage that fails for a moment strands nothing', async () => {
  const world = await openTestWorld()
  let isBroken = false
  const whenWhole = <Result>(action: () => Promise<Result>): Promise<Result> =>
    isBroken ? Promise.reject(new Error('The disk is full.')) : action()
  const { ledger, queues } = world
  const fragile: World = {
    ...world,
    ledger: {
      get: (key) => ledger.get(key),
      query: (partition, options) => ledger.query(partition, options),
      update: (change) => whenWhole(() => ledger.update(change)),
      transact: (changes) => whenWhole(() => ledger.transact(changes)),
    },
    queues: {
      ...queues,
      episodes: {
        dead_letters: queues.episodes.dead_letters,
        receive: (options) => queues.episodes.receive(options),
        send: (messages) => whenWhole(() => queues.episodes.send(messages)),
        delete: (receipt) => whenWhole(() => queues.episodes.delete(receipt)),
        extend: (receipt, visibility) => whenWhole(() => queues.episodes.extend(receipt, visibility)),
      },
    },
  }
  const broken = Promise.withResolvers<void>()
  let calls = 0
  const onCall = () => {
    calls += 1
    if (calls !== 4) return
    isBroken = true
    broken.resolve()
  }
  const engine = openTestEngine({
    world: fragile,
    environment: small(),
    model: createHashModel({ delay: 100, onCall }),
  })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ max_retries: 10 }))
  await broken.promise
  await pause(700)
  isBroken = false
  const run = await untilStatus(engine, id, ...final)
  expect(run.episodes.succeeded + run.episodes.failed).toBe(4)
  expect(engine.errors.length).toBeGreaterThan(0)
})

test('an error too long for the ledger still ends its episode', async () => {
  const engine = openTestEngine({
    world: await openTestWorld(),
    environment: small(),
    model: { complete: () => Promise.reject(new Error('x'.repeat(500_000))) },
  })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ max_retries: 0 }))
  expect(await untilStatus(engine, id, ...final)).toMatchObject({
    status: 'failed',
    episodes: { errored: 4 },
  })
  const { result } = await engine.runs.episode(id, 'ep-0000000')
  expect(result?.error?.message).toMatch(/^x{2000}… \(500000 characters\)$/)
})

test('a process that slept past its heartbeats does not bury itself', async () => {
  const world = await openTestWorld()
  const { model, release } = heldModel(4)
  const engine = openTestEngine({ world, environment: small(), worker: 'sleeper', model })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ limits: { cost: 10 } }))
  await untilStatus(engine, id, 'running')
  await world.ledger.update({ key: { partition: 'workers', sort: 'sleeper' }, set: { expires: 0 } })
  await engine.sweep({ lostAfter: 3600 })
  release()
  expect(await untilStatus(engine, id, ...final)).toMatchObject({ lost_calls: 0 })
  expect((await engine.runs.episodes(id, { limit: 10 })).data.map(({ starts }) => starts)).toEqual([
    1, 1, 1, 1,
  ])
})

test('extend refuses to make a search smaller, and of two at once takes one', async () => {
  const method = { id: 'mcts', iterations: 3, samples: 2, max_depth: 3 }
  const world = await openTestWorld()
  const engine = openTestEngine({ world, environment: small() })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ method }))
  await untilStatus(engine, id, ...final)
  await engine.worker.stop(1)
  const smaller = engine.runs.extend(id, { method: { iterations: 2 } })
  await expect(smaller).rejects.toMatchObject({ code: 'invalid_request', param: 'method.iterations' })
  const both = await Promise.allSettled(
    [4, 6].map((iterations) => engine.runs.extend(id, { method: { iterations } })),
  )
  const taken = both.flatMap((one) =>
    one.status === 'fulfilled' ? [one.value.request.method.iterations] : [],
  )
  expect(taken).toHaveLength(1)
  const next = openTestEngine({ world, environment: small() })
  await next.worker.start()
  const run = await untilStatus(next, id, ...final)
  expect(run.request.method.iterations).toBe(taken[0])
})

test('the list of episodes agrees with the counts during a retry and after a cancellation', async () => {
  const engine = openTestEngine({
    world: await openTestWorld(),
    environment: small(),
    model: { complete: () => Promise.reject(new Error('out of order')) },
  })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ max_retries: 0 }))
  await untilStatus(engine, id, ...final)
  await engine.worker.stop(1)
  const { episodes } = await engine.runs.retry(id)
  expect(episodes).toMatchObject({ waiting: 0, active: 4, errored: 0 })
  expect(await statuses(engine, id)).toEqual({ queued: 4 })
  expect((await engine.runs.cancel(id)).episodes).toMatchObject({ cancelled: 0, errored: 4 })
  expect(await statuses(engine, id)).toEqual({ errored: 4 })
  expect((await engine.runs.episode(id, 'ep-0000000')).result?.error?.message).toBe('out of order')
})

test('an extension that is cancelled leaves every episode, and all that can be read of it, as it had ended', async () => {
  const world = await openTestWorld()
  const method = { id: 'mcts', iterations: 1, samples: 2, max_depth: 6 }
  const environment = withTasks(createHashEnvironment(5, { depth: 6, disasters: 0 }), 1)
  const quick = openTestEngine({ world, environment, worker: 'quick' })
  await quick.worker.start()
  const { id } = await quick.runs.create(toRequest({ method }))
  const ended = await untilStatus(quick, id, ...final)
  await quick.worker.stop(1)
  const episode = 'ep-0000000'
  const read = async () => ({
    episode: await quick.runs.episode(id, episode),
    tree: await quick.runs.tree(id, episode),
    journal: await quick.runs.journal(id, episode),
  })
  const before = await read()
  const slow = openTestEngine({ world, environment, worker: 'slow', model: createHashModel({ delay: 20 }) })
  await slow.worker.start()
  await slow.runs.extend(id, { method: { iterations: 50 } })
  const tokens = ended.usage.input_tokens + 50
  await expect.poll(async () => (await slow.runs.get(id)).usage.input_tokens).toBeGreaterThan(tokens)
  const meanwhile = await read()
  expect(meanwhile).toEqual({
    ...before,
    episode: { ...before.episode, status: 'running', starts: before.episode.starts + 1 },
  })
  const { status, episodes } = await slow.runs.cancel(id)
  expect({ status, episodes }).toEqual({ status: 'cancelled', episodes: ended.episodes })
  await slow.worker.stop(1)
  expect(await read()).toEqual({
    ...before,
    episode: { ...before.episode, starts: before.episode.starts + 1 },
  })
})

test('an end of an extension that comes too late for the cancellation publishes nothing over the earlier one', async () => {
  const world = await openTestWorld()
  const method = { id: 'mcts', iterations: 1, samples: 2, max_depth: 6 }
  const environment = withTasks(createHashEnvironment(5, { depth: 6, disasters: 0 }), 1)
  const engine = openTestEngine({ world, environment })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ method }))
  await untilStatus(engine, id, ...final)
  await engine.worker.stop(1)
  const treeOf = async () => {
    const tree = await engine.runs.tree(id, 'ep-0000000')
    return 'stored' in tree ? Buffer.from((await world.objects.get(tree.stored))?.body ?? []).toString() : ''
  }
  const before = await treeOf()
  await engine.runs.extend(id, { method: { iterations: 4 } })
  const late = beforeChanges(world, async (changes) => {
    if (changes.some(({ set }) => set?.result)) await engine.runs.cancel(id)
  })
  await openTestEngine({ world: late, environment }).runner.play(
    { body: { run: id, episode: 'ep-0000000' } },
    false,
  )
  expect(before).toContain('"nodes"')
  expect(await treeOf()).toBe(before)
})

test('an episode that is played alone has no neighbour until it got further, not even one that comes meanwhile', async () => {
  const inFlight = new Set<string>()
  const begun = Promise.withResolvers<void>()
  let [metNeighbours, neighbours, callsAlone] = [0, 0, 0]
  const hash = createHashModel({ delay: 60 })
  const world = await openTestWorld()
  const engine = openTestEngine({
    world,
    environment: small(),
    model: {
      async complete(request, parts) {
        const task = request.messages[1]?.content ?? ''
        const isAlone = task === 'start of task-0' && callsAlone++ === 0
        const name = isAlone ? 'alone' : task
        inFlight.add(name)
        begun.resolve()
        if (inFlight.size > 1) neighbours += 1
        if (inFlight.size > 1 && inFlight.has('alone')) metNeighbours += 1
        try {
          return await hash.complete(request, parts)
        } finally {
          inFlight.delete(name)
        }
      },
    },
  })
  const { id } = await engine.runs.create(toRequest({ tasks: { ids: ['task-0'] } }))
  await world.ledger.update({
    key: { partition: `run/${id}/episodes`, sort: 'ep-0000000' },
    set: { idle_starts: 2 },
  })
  await engine.worker.start()
  await begun.promise
  const other = await engine.runs.create(toRequest({ tasks: { ids: ['task-1', 'task-2', 'task-3'] } }))
  await untilStatus(engine, id, ...final)
  await untilStatus(engine, other.id, ...final)
  expect(metNeighbours).toBe(0)
  expect(neighbours).toBeGreaterThan(0)
})

test('an episode whose play and release both fail with the storage goes to other workers once it has mended', async () => {
  const world = await openTestWorld()
  const environment = withTasks(createHashEnvironment(3, { depth: 6, disasters: 0 }), 1)
  let isBroken = false
  const failing = beforeChanges(world, () => {
    if (isBroken) throw new EspalierError('storage_failed', 'The disk is full.')
  })
  const answers = createHashModel()
  const model: ChatModel = {
    complete(request, context) {
      isBroken = true
      return answers.complete(request, context)
    },
  }
  const first = openTestEngine({ world: failing, environment, worker: 'first', model })
  const { id } = await first.runs.create(toRequest({}))
  await first.presence.stayAlive()
  const message = { run: id, episode: episodeId(0) }
  const row = () => world.ledger.get(ledgerKeys.episode(id, message.episode))
  await expect(first.runner.play({ body: message }, false)).rejects.toThrow('The disk is full.')
  expect(await row()).toMatchObject({ status: 'running', worker: 'first' })
  await expect(first.runner.releaseAgain(message)).rejects.toThrow('The disk is full.')
  isBroken = false
  await first.runner.releaseAgain(message)
  expect(await row()).toMatchObject({ status: 'queued', worker: null, idle_starts: 0 })

  const second = openTestEngine({ world, environment, worker: 'second' })
  await second.runner.play({ body: message }, false)
  const ended = await row()
  expect(['succeeded', 'failed']).toContain(ended?.status)
  await first.runner.releaseAgain(message)
  expect(await row()).toEqual(ended)
})
