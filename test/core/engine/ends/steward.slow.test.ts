import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { episodeId } from '../../../../shared/core/contracts/episode.ts'
import { readEnds } from '../../../../shared/core/engine/ends/fold-ends.ts'
import { Steward } from '../../../../shared/core/engine/ends/steward.ts'
import { toResult } from '../../../../shared/core/engine/episodes/conclude-episode.ts'
import { endEpisode } from '../../../../shared/core/engine/episodes/end-episode.ts'
import { newEpisodeRow } from '../../../../shared/core/engine/episodes/episode-row.ts'
import { ledgerKeys } from '../../../../shared/core/engine/keys.ts'
import { cancelRun } from '../../../../shared/core/engine/runs/cancel-run.ts'
import { RunDefinitions } from '../../../../shared/core/engine/runs/run-definition.ts'
import { readEvents } from '../../../../shared/core/engine/runs/run-events.ts'
import { RunStore } from '../../../../shared/core/engine/runs/run-store.ts'
import type { Ledger, World } from '../../../../shared/core/world/ports.ts'
import { createHashEnvironment } from '../../../support/hash-environment.ts'
import { MemoryLedger } from '../../../support/memory-ledger.ts'
import { openTestEngine, toRequest, withTasks } from '../../../support/open-test-engine.ts'
import { shareWorld } from '../../../support/open-test-world.ts'

const shared = shareWorld()

/** What happens before an operation of a process, and whether it is still there to have it done. */
type Turn = () => Promise<void>

/** The ledger as one process sees it: each of its operations waits for its turn. */
function inTurns(ledger: Ledger, turn: Turn): Ledger {
  return {
    get: (key) => turn().then(() => ledger.get(key)),
    update: (change) => turn().then(() => ledger.update(change)),
    transact: (changes) => turn().then(() => ledger.transact(changes)),
    query: (partition, options) => turn().then(() => ledger.query(partition, options)),
  }
}

/** A run all of whose episodes are being played, over a ledger in memory. */
async function openRun(episodes: number) {
  const ledger = new MemoryLedger()
  let now = 1_700_000_000_000
  const clock = { now: () => now, sleep: async () => undefined }
  const world: World = { ...shared.world, ledger, clock }
  const environment = withTasks(createHashEnvironment(1), episodes)
  const { runs } = openTestEngine({ world, environment })
  const { id: run } = await runs.create(toRequest({ max_parallel: episodes }))
  const store = new RunStore(world)
  await store.change(run, () => ({ set: { status: 'running', started_at: now, running_since: now } }))
  const definitions = new RunDefinitions(world.objects)
  for (let index = 0; index < episodes; index += 1) {
    const key = ledgerKeys.episode(run, episodeId(index))
    await ledger.update({ key, set: { ...newEpisodeRow(index, 1), status: 'running', starts: 1 } })
  }

  /** A process of its own that ends one episode, and counts ends where no other does. */
  function open(worker: string, turn: Turn) {
    const own: World = { ...world, ledger: inTurns(ledger, turn) }
    const rows = new RunStore(own)
    const steward = new Steward({ world: own, store: rows, definitions, worker })
    return {
      steward,
      cancel: () =>
        cancelRun(own, rows, run, ({ status }) => {
          throw new Error(`It is ${status}.`)
        }),
      async end(index: number): Promise<boolean> {
        const place = await definitions.place({ id: run, purpose: 'play' }, index)
        const result = toResult({
          purpose: 'play',
          summary: null,
          error: null,
          limit: null,
          working_seconds: 0,
          attempt: 1,
        })
        const isEnded = await endEpisode(own, { run, place, claim: { starts: 1, generation: 1 } }, result)
        await steward.tend(run)
        return isEnded
      },
    }
  }

  return {
    run,
    runs,
    store,
    ledger,
    open,
    pass: (milliseconds: number) => {
      now += milliseconds
    },
    async counted() {
      const events = await readEvents(ledger, run, { after: 0, limit: 1000 })
      const ended = events.flatMap((event) => (event.type === 'episode.ended' ? [event.episode] : []))
      const statuses = (await runs.episodes(run, { limit: 1000 })).data.map(({ status }) => status)
      const row = await store.get(run)
      expect(events.map(({ sequence }) => sequence)).toEqual(
        events.map(({ sequence }) => sequence).toSorted((left, right) => left - right),
      )
      expect(new Set(ended).size).toBe(ended.length)
      expect(row.failed).toBe(statuses.filter((status) => status === 'failed').length)
      expect(row.cancelled).toBe(statuses.filter((status) => status === 'cancelled').length)
      expect(ended.length).toBe(row.failed + row.succeeded)
      return { row, ended, left: (await readEnds(ledger, run)).items.length }
    },
  }
}

const never = new Promise<never>(() => undefined)

test('of processes that end episodes at the same moment none leaves an end uncounted, in whatever order their operations come', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 2, max: 6 }), async (scheduler, episodes) => {
      const { open, counted } = await openRun(episodes)
      const turn = () => scheduler.schedule(Promise.resolve())
      const ending = Promise.all(
        Array.from({ length: episodes }, (_, index) => open(`worker-${index}`, turn).end(index)),
      )
      await scheduler.waitFor(ending)

      const { row, ended, left } = await counted()
      expect(left).toBe(0)
      expect(ended).toHaveLength(episodes)
      expect(row).toMatchObject({ status: 'succeeded', done: episodes })
    }),
    { numRuns: 80 },
  )
})

test('whichever operation a process dies at, the sweeper counts what it left, each end once', async () => {
  const deaths = fc.array(fc.record({ after: fc.nat(16), isDone: fc.boolean() }), {
    minLength: 1,
    maxLength: 3,
  })
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), deaths, async (scheduler, dying) => {
      const episodes = 4
      const { open, counted, pass, ledger, run } = await openRun(episodes)
      const living: Promise<unknown>[] = []
      const dead: Promise<void>[] = []
      for (let index = 0; index < episodes; index += 1) {
        const death = dying[index]
        let left = death === undefined ? Number.POSITIVE_INFINITY : death.after
        const { promise, resolve } = Promise.withResolvers<void>()
        const turn = async () => {
          await scheduler.schedule(Promise.resolve())
          left -= 1
          if (left >= 0) return
          resolve()
          await never
        }
        const ended = open(`worker-${index}`, turn).end(index)
        if (death === undefined) living.push(ended)
        else dead.push(Promise.race([promise, ended.then(() => undefined)]))
      }
      await scheduler.waitFor(Promise.all([...living, ...dead]))
      pass(11_000)
      const sweeper = open('sweeper', async () => undefined)
      await sweeper.steward.tend(run)
      for (let index = 0; index < episodes; index += 1) await sweeper.end(index)

      const { row, ended, left } = await counted()
      expect(left).toBe(0)
      expect(ended).toHaveLength(episodes)
      expect(row).toMatchObject({ status: 'succeeded', done: episodes })
      expect(await ledger.get(ledgerKeys.openRun(run))).toBeNull()
    }),
    { numRuns: 80 },
  )
})

test('a run that is cancelled while its episodes end counts each as it stands, and is final once all of them are counted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const episodes = 4
      const { open, counted, runs, run } = await openRun(episodes)
      const turn = () => scheduler.schedule(Promise.resolve())
      const seen: number[] = []
      const ending = Array.from({ length: episodes }, (_, index) => open(`worker-${index}`, turn).end(index))
      const cancelling = open('api', turn)
        .cancel()
        .then(async () => seen.push((await counted()).left))
      const [, ...made] = await scheduler.waitFor(Promise.all([Promise.allSettled([cancelling]), ...ending]))

      const { row, ended, left } = await counted()
      expect(left).toBe(0)
      expect(seen.every((uncounted) => uncounted === 0)).toBe(true)
      expect(ended).toHaveLength(made.filter(Boolean).length)
      expect(row.status).toBe(ended.length === episodes ? 'succeeded' : 'cancelled')
      expect((await runs.get(run)).episodes).toMatchObject({ active: 0, waiting: 0 })
    }),
    { numRuns: 80 },
  )
})

describe('a steward', () => {
  test('counts many ends in one transaction, and hands over what comes after its lease', async () => {
    const { open, ledger, run, counted, pass } = await openRun(200)
    const held = { holder: 'dead', token: 1, expires_at: 1_700_000_000_000 + 10_000 }
    await ledger.update({ key: ledgerKeys.steward(run), set: held })
    let transactions = 0
    const counting = async () => {
      transactions += 1
    }
    for (let index = 0; index < 199; index += 1) await open('ender', async () => undefined).end(index)
    expect((await counted().catch(() => null))?.left ?? 199).toBe(199)
    pass(10_001)
    await open('next', counting).end(199)
    const { row, left } = await counted()
    expect({ left, done: row.done, status: row.status }).toEqual({ left: 0, done: 200, status: 'succeeded' })
    expect(transactions).toBeLessThan(25)
  })

  test('takes the lease of a worker that is known to be dead at once', async () => {
    const { open, ledger, run, counted } = await openRun(1)
    const held = { holder: 'dead', token: 1, expires_at: 1_700_000_000_000 + 10_000 }
    await ledger.update({ key: ledgerKeys.steward(run), set: held })
    await open('ender', async () => undefined).end(0)
    expect((await readEnds(ledger, run)).items).toHaveLength(1)
    await open('sweeper', async () => undefined).steward.tend(run, new Set(['dead']))
    expect(await counted()).toMatchObject({ left: 0, row: { status: 'succeeded' } })
  })
})
