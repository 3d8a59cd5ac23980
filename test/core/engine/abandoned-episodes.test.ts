import { describe, expect, test } from 'vitest'
import { episodeId } from '../../../shared/core/contracts/episode.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { EpisodeRow } from '../../../shared/core/engine/episodes/episode-row.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { beforeChanges } from '../../support/before-changes.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestEngine, toRequest, untilStatus, withTasks } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { heldModel } from './held-model.ts'

const environment = withTasks(createHashEnvironment(1), 3)
const ids = [0, 1, 2].map(episodeId)
const lostAfter = 3600

/** Takes everything out of the queue, and answers which episodes it names. */
async function queued({ queues }: World): Promise<string[]> {
  const messages = await queues.episodes.receive({ max: 100, wait: 0, visibility: 600 })
  await Promise.all(messages.map(({ receipt }) => queues.episodes.delete(receipt)))
  return messages.map(({ body }) => String((body as { episode: string }).episode)).toSorted()
}

/** A run whose episodes a worker has taken up that is dead by now. */
async function openAbandoned(world: World): Promise<string> {
  const { id } = await openTestEngine({ world, environment }).runs.create(toRequest())
  expect(await queued(world)).toEqual(ids)
  for (const episode of ids) {
    const set = { worker: 'dead', status: 'running', starts: 1 }
    await world.ledger.update({ key: ledgerKeys.episode(id, episode), set })
  }
  return id
}

test('a sweep that fails in the middle leaves no episode to wait for an hour', async () => {
  const world = await openTestWorld()
  await openAbandoned(world)
  let failing = true
  const fragile = beforeChanges(world, ([change]) => {
    if (failing && change?.key.sort === ids[1]) throw new Error('Throttled.')
  })
  const engine = openTestEngine({ world: fragile, environment })
  await expect(engine.sweep({ lostAfter })).rejects.toThrow('could not be put right')
  const before = await queued(world)
  failing = false
  await engine.sweep({ lostAfter })
  expect(new Set([...before, ...(await queued(world))])).toEqual(new Set(ids))
})

test('episodes are sent again by the next sweep when the queue could not take them', async () => {
  const world = await openTestWorld()
  await openAbandoned(world)
  const { episodes } = world.queues
  const deaf: World = {
    ...world,
    queues: {
      ...world.queues,
      episodes: {
        dead_letters: episodes.dead_letters,
        receive: (options) => episodes.receive(options),
        delete: (receipt) => episodes.delete(receipt),
        extend: (receipt, visibility) => episodes.extend(receipt, visibility),
        send: () => Promise.reject(new Error('The queue is away.')),
      },
    },
  }
  const failed = openTestEngine({ world: deaf, environment }).sweep({ lostAfter })
  await expect(failed).rejects.toThrow('could not be put right')
  const engine = openTestEngine({ world, environment })
  await engine.sweep({ lostAfter })
  expect(await queued(world)).toEqual(ids)
  await engine.sweep({ lostAfter })
  expect(await queued(world)).toEqual([])
})

test.each([-3_600_000, 3_600_000])(
  'an episode whose message was lost is sent again, once, also where the clock is set by %i ms',
  async (by) => {
    const world = await openTestWorld()
    const time = { now: Date.now() }
    const engine = openTestEngine({
      world: { ...world, clock: { ...world.clock, now: () => time.now } },
      environment,
    })
    await engine.runs.create(toRequest())
    expect(await queued(world)).toEqual(ids)
    await engine.sweep({ lostAfter })
    expect(await queued(world)).toEqual([])
    time.now += by
    await engine.sweep({ lostAfter })
    expect(await queued(world)).toEqual(ids)
    await engine.sweep({ lostAfter })
    expect(await queued(world)).toEqual([])
  },
)

test('episodes of a worker that died before the clock was set back are sent again by the next sweep', async () => {
  const world = await openTestWorld()
  await openAbandoned(world)
  await world.ledger.update({ key: ledgerKeys.worker('dead'), set: { expires: Date.now() + 3_600_000 } })
  await openTestEngine({ world, environment }).sweep({ lostAfter })
  expect(await queued(world)).toEqual(ids)
})

test('episodes of a resumed run are sent again once, where the clock is set back after that', async () => {
  const world = await openTestWorld()
  const time = { now: Date.now() }
  const engine = openTestEngine({
    world: { ...world, clock: { ...world.clock, now: () => time.now } },
    environment,
  })
  const { id } = await engine.runs.create(toRequest())
  const started = time.now - 60_000
  const set = { status: 'running', started_at: started, running_since: started }
  await world.ledger.update({ key: ledgerKeys.run(id), set })
  await engine.runs.pause(id)
  await engine.runs.resume(id, {})
  await queued(world)
  time.now -= 3_600_000
  await engine.sweep({ lostAfter })
  expect(await queued(world)).toEqual(ids)
  await engine.sweep({ lostAfter })
  expect(await queued(world)).toEqual([])
})

test('a run whose first episodes could not be queued is answered, and the sweeper queues them', async () => {
  const world = await openTestWorld()
  let failing = true
  const fragile = beforeChanges(world, (changes) => {
    if (failing && changes.some(({ key }) => key.partition.endsWith('/active'))) throw new Error('Throttled.')
  })
  const engine = openTestEngine({ world: fragile, environment })
  const { id } = await engine.runs.create(toRequest())
  expect((await engine.runs.list({ limit: 10 })).data.map((run) => run.id)).toEqual([id])
  expect(engine.errors.map(String)).toEqual(['Error: Throttled.'])
  failing = false
  await engine.sweep({ lostAfter })
  expect(await queued(world)).toEqual(ids)
})

test('what a failed resume did not send again the sweeper sends, once', async () => {
  const world = await openTestWorld()
  const engine = openTestEngine({ world, environment })
  const { id } = await engine.runs.create(toRequest())
  const started = Date.now() - 60_000
  const set = { status: 'running', started_at: started, running_since: started }
  await world.ledger.update({ key: ledgerKeys.run(id), set })
  await engine.runs.pause(id)
  expect(await queued(world)).toEqual(ids)
  await new Promise((resolve) => setTimeout(resolve, 5))
  let failing = true
  const fragile = beforeChanges(world, ([change]) => {
    if (failing && change?.key.partition.endsWith('/active')) throw new Error('Throttled.')
  })
  const troubled = openTestEngine({ world: fragile, environment })
  expect(await troubled.runs.resume(id, {})).toMatchObject({ status: 'running' })
  expect(troubled.errors.map(String)).toEqual(['Error: Throttled.'])
  failing = false
  await queued(world)
  await engine.sweep({ lostAfter })
  expect(await queued(world)).toEqual(ids)
  await engine.sweep({ lostAfter })
  expect(await queued(world)).toEqual([])
})

test('a dead letter that comes during a pause leaves its episode for when the run is resumed', async () => {
  const world = await openTestWorld()
  const engine = openTestEngine({ world, environment })
  const { id } = await engine.runs.create(toRequest())
  await engine.runs.pause(id)
  expect(await engine.bury({ run: id, episode: episodeId(0) })).toBe(false)
  await engine.worker.start()
  await engine.runs.resume(id, {})
  expect((await untilStatus(engine, id, 'succeeded', 'failed')).episodes.errored).toBe(0)
})

test('an episode whose call fits before no deadline is given up, and not paid for for ever', async () => {
  const world = await openTestWorld()
  type Complete = ReturnType<typeof createHashModel>['complete']
  const hangingFrom = (onReserved: () => void) => ({
    complete: async (...[, { meter, signal }]: Parameters<Complete>) => {
      const reservation = await meter.reserve({ cost: 0.001, tokens: 10 })
      const cut = new Promise<never>((_, reject) => {
        const fail = () => reject(new Error('aborted'))
        if (signal?.aborted) fail()
        signal?.addEventListener('abort', fail, { once: true })
      })
      onReserved()
      return cut.catch(async (error: unknown) => {
        await reservation.lose()
        throw error
      })
    },
  })
  const { id } = await openTestEngine({ world, environment }).runs.create(toRequest({ max_parallel: 1 }))
  const key = ledgerKeys.episode(id, episodeId(0))
  for (let turns = 0; turns < 8; turns += 1) {
    const reserved = Promise.withResolvers<void>()
    const model = hangingFrom(reserved.resolve)
    const { runner } = openTestEngine({ world, environment, model, worker: `worker-${turns}` })
    const playing = runner.play({ body: { run: id, episode: episodeId(0) } }, true)
    await Promise.race([reserved.promise, playing])
    runner.stop('deadline', 'The invocation ends.')
    runner.abort()
    await playing
  }
  const row = (await world.ledger.get(key)) as EpisodeRow | null
  expect(row).toMatchObject({ status: 'errored', starts: 5, result: { error: { name: 'NoProgress' } } })
})

test('an episode that only waited until its deadline is not given up', async () => {
  const world = await openTestWorld()
  const waiting = {
    complete: (...[, { signal }]: Parameters<ReturnType<typeof createHashModel>['complete']>) =>
      new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
      }),
  }
  const { id } = await openTestEngine({ world, environment }).runs.create(toRequest({ max_parallel: 1 }))
  for (let turns = 0; turns < 7; turns += 1) {
    const { runner } = openTestEngine({ world, environment, model: waiting, worker: `worker-${turns}` })
    const playing = runner.play({ body: { run: id, episode: episodeId(0) } }, false)
    setTimeout(() => {
      runner.stop('deadline', 'The invocation ends.')
      runner.abort()
    }, 40)
    await playing
  }
  const row = await world.ledger.get(ledgerKeys.episode(id, episodeId(0)))
  expect(row).toMatchObject({ status: 'queued', idle_starts: 0 })
})

test('a worker that finds itself taken for dead holds its part of the caps again', async () => {
  const world = await openTestWorld()
  const engine = openTestEngine({ world, environment, worker: 'slow', model: heldModel().model })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ limits: { cost: 10 } }))
  const holding = ledgerKeys.holding('slow', id)
  while ((await world.ledger.get(holding)) === null) await new Promise((resolve) => setTimeout(resolve, 5))
  await world.ledger.update({ key: ledgerKeys.worker('slow'), set: { expires: 0 } })
  await openTestEngine({ world, environment }).sweep({ lostAfter })
  expect(await world.ledger.get(holding)).toBeNull()
  await engine.presence.stayAlive()
  expect(await world.ledger.get(holding)).not.toBeNull()
})

test('a worker that cannot count its last calls stays on the list, for the sweeper', async () => {
  const world = await openTestWorld()
  let isBroken = false
  const fragile = beforeChanges(world, (changes) => {
    if (isBroken && changes.some(({ key }) => key.partition.endsWith('/spending'))) throw new Error('away')
  })
  const engine = openTestEngine({
    world: fragile,
    environment,
    worker: 'last',
    model: createHashModel({ delay: 100 }),
  })
  await engine.worker.start()
  await engine.runs.create(toRequest({ limits: { cost: 10 } }))
  const { partition } = ledgerKeys.reservation('last', '')
  while ((await world.ledger.query(partition)).items.length === 0) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  isBroken = true
  await engine.worker.stop(5)
  expect(await world.ledger.get(ledgerKeys.worker('last'))).not.toBeNull()
  isBroken = false
})

test('an episode whose end could not be written is free for the worker that takes its message next', async () => {
  const world = await openTestWorld()
  let failing = true
  const fragile = beforeChanges(world, (changes) => {
    if (failing && changes.some(({ set }) => set?.result)) throw new Error('Throttled.')
  })
  const engine = openTestEngine({ world: fragile, environment })
  const { id } = await engine.runs.create(toRequest())
  const message = { body: { run: id, episode: episodeId(0) } }
  await engine.presence.begin()
  await expect(engine.runner.play(message, false)).rejects.toThrow('Throttled.')
  expect(await world.ledger.get(ledgerKeys.episode(id, episodeId(0)))).toMatchObject({ worker: null })
  failing = false
  await openTestEngine({ world, environment }).runner.play(message, false)
  expect((await engine.runs.episode(id, episodeId(0))).result).not.toBeNull()
  await engine.presence.end()
})

describe('an episode whose storage fails', () => {
  /** A run of one episode in a world that cannot reserve calls the first times, and whose queue waits for nothing. */
  async function playFailing(times: number) {
    const world = await openTestWorld()
    const { episodes } = world.queues
    const delays: number[] = []
    let left = times
    const fragile = beforeChanges(world, ([change]) => {
      if (left === 0 || !change?.key.partition.startsWith('reservations/')) return
      left -= 1
      throw new EspalierError('storage_failed', 'The disk is full.')
    })
    const failing: World = {
      ...fragile,
      queues: {
        ...world.queues,
        episodes: {
          dead_letters: episodes.dead_letters,
          receive: (options) => episodes.receive(options),
          delete: (receipt) => episodes.delete(receipt),
          extend: (receipt, visibility) => episodes.extend(receipt, visibility),
          send(messages) {
            delays.push(...messages.flatMap(({ delay }) => delay ?? []))
            return episodes.send(messages.map(({ body, group }) => ({ body, group })))
          },
        },
      },
    }
    const engine = openTestEngine({ world: failing, environment: withTasks(createHashEnvironment(1), 1) })
    const { id } = await engine.runs.create(toRequest({ max_retries: 0 }))
    for (let messages = await take(failing); messages.length > 0; messages = await take(failing)) {
      for (const message of messages) {
        await engine.runner.play(message, false)
        await episodes.delete(message.receipt)
      }
    }
    return { run: await engine.runs.get(id), delays, left }
  }
  const take = ({ queues }: World) => queues.episodes.receive({ max: 10, wait: 0, visibility: 600 })

  test('waits for it, and loses no retry', async () => {
    const { run, delays, left } = await playFailing(8)
    expect(left).toBe(0)
    expect(run).toMatchObject({ status: 'succeeded', episodes: { errored: 0 } })
    expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  })

  test('ends with that error where it fails without end', async () => {
    const { run, delays } = await playFailing(1000)
    expect(run).toMatchObject({ status: 'failed', episodes: { errored: 1 } })
    expect(delays.reduce((sum, delay) => sum + delay, 0)).toBeGreaterThan(600)
  })
})
