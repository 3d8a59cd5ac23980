import { expect, onTestFinished, test, vi } from 'vitest'
import { ledgerKeys } from '../../../../shared/core/engine/keys.ts'
import { RunStore } from '../../../../shared/core/engine/runs/run-store.ts'
import type { Amount } from '../../../../shared/core/engine/spending/amount.ts'
import { readCaps } from '../../../../shared/core/engine/spending/caps.ts'
import { EpisodeTurns } from '../../../../shared/core/engine/spending/episode-turns.ts'
import { setTenantCaps } from '../../../../shared/core/engine/spending/tenant-row.ts'
import type { LedgerChange, World } from '../../../../shared/core/world/ports.ts'
import { openTestEngine, toRequest } from '../../../support/open-test-engine.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

/** A run whose cap pays for one episode at a time. */
const openNearRun = (world: World) => openRun(world, { cost: 1 })

async function openRun(world: World, limits: { cost?: number; tokens?: number }): Promise<string> {
  const { runs } = openTestEngine({ world })
  const { id } = await runs.create(toRequest({ limits }))
  await world.ledger.update({ key: ledgerKeys.run(id), set: { status: 'running' } })
  return id
}

function turnsOf(world: World, worker = 'one'): EpisodeTurns {
  return new EpisodeTurns({
    world,
    store: new RunStore(world),
    worker,
    hold: async (run) => {
      await world.ledger.update({ key: ledgerKeys.holding(worker, run), set: { run } })
    },
    giveBack: async () => undefined,
  })
}

/** The same world, with a fault after the changes that a test names were made, or before. */
function faulty(world: World) {
  const faults: { of: (change: LedgerChange) => boolean; when: 'before' | 'after' }[] = []
  const { ledger } = world
  let reads = 0
  const fragile: World = {
    ...world,
    ledger: {
      get(key) {
        reads += 1
        return ledger.get(key)
      },
      query(partition, options) {
        reads += 1
        return ledger.query(partition, options)
      },
      transact: (changes) => ledger.transact(changes),
      async update(change) {
        const at = faults.findIndex(({ of }) => of(change))
        const fault = at < 0 ? undefined : faults.splice(at, 1)[0]
        if (fault?.when === 'before') throw new Error('The table is away.')
        const result = await ledger.update(change)
        if (fault?.when === 'after') throw new Error('The table is away.')
        return result
      },
    },
  }
  return { world: fragile, faults, reads: () => reads }
}

const portsOf = ({ ledger }: World): World['ledger'] => ({
  get: (key) => ledger.get(key),
  query: (partition, options) => ledger.query(partition, options),
  update: (change) => ledger.update(change),
  transact: (changes) => ledger.transact(changes),
})

const ofTurns = ({ key }: LedgerChange) => key.partition.endsWith('/turns')
const soon = () => AbortSignal.timeout(60_000)

test('a turn whose take was made and answered by an error is taken again', async () => {
  const { world, faults } = faulty(await openTestWorld())
  const run = await openNearRun(world)
  const turns = turnsOf(world)
  faults.push({ of: ofTurns, when: 'after' })
  await expect(turns.enter(run, 'first', soon())).rejects.toThrow('away')
  await turns.leave(run, 'first')
  await turns.enter(run, 'second', soon())
  expect(await world.ledger.get(ledgerKeys.turn(run, 0))).toMatchObject({ episode: 'second' })
})

test('a turn whose return failed is taken again', async () => {
  const { world, faults } = faulty(await openTestWorld())
  const run = await openNearRun(world)
  const turns = turnsOf(world)
  await turns.enter(run, 'first', soon())
  faults.push({ of: (change) => ofTurns(change) && change.delete === true, when: 'before' })
  await expect(turns.leave(run, 'first')).rejects.toThrow('away')
  await turns.enter(run, 'second', soon())
  await turns.leave(run, 'second')
  expect(await world.ledger.get(ledgerKeys.turn(run, 0))).toBeNull()
})

test('a turn that is held is not freed for another episode of its worker', async () => {
  const world = await openTestWorld()
  const run = await openNearRun(world)
  const turns = turnsOf(world)
  await turns.enter(run, 'first', soon())
  await expect(turns.enter(run, 'second', AbortSignal.timeout(1200))).rejects.toThrow()
  expect(await world.ledger.get(ledgerKeys.turn(run, 0))).toMatchObject({ episode: 'first' })
})

test('sixty-four episodes that wait for a turn read as often as one', async () => {
  const { world, reads } = faulty(await openTestWorld())
  const run = await openNearRun(world)
  const turns = turnsOf(world)
  await turns.enter(run, 'first', soon())
  const leaving = new AbortController()
  const waiting = Array.from({ length: 64 }, (_, at) => turns.enter(run, `later-${at}`, leaving.signal))
  const ended = Promise.allSettled(waiting)
  onTestFinished(async () => {
    leaving.abort()
    await ended
  })
  const before = reads()
  const began = performance.now()
  await new Promise((resolve) => setTimeout(resolve, 1500))
  // Each of the checks, at most one in 200 ms, reads the run, its caps and spending, and the turn that is taken.
  expect(reads() - before).toBeLessThan(10 * ((performance.now() - began) / 200 + 2))
  await turns.leave(run, 'first')
  const next = await Promise.race(waiting.map(async (entered, at) => entered.then(() => at)))
  expect(await world.ledger.get(ledgerKeys.turn(run, 0))).toMatchObject({ episode: `later-${next}` })
  await turns.leave(run, `later-${next}`)
  await Promise.any(waiting.filter((_, at) => at !== next))
})

test('all episodes that wait stop once the run pauses', async () => {
  const world = await openTestWorld()
  const run = await openNearRun(world)
  const turns = turnsOf(world)
  await turns.enter(run, 'first', soon())
  const waiting = Array.from({ length: 16 }, (_, at) => turns.enter(run, `later-${at}`, soon()))
  const ended = Promise.allSettled(waiting)
  await world.ledger.update({ key: ledgerKeys.run(run), set: { status: 'paused' } })
  for (const end of await ended) {
    expect(end).toMatchObject({ status: 'rejected', reason: { name: 'EpisodeStoppedError' } })
  }
})

/** Admits an episode whose calls have this upper bound. */
async function enterWith(turns: EpisodeTurns, run: string, bound: Amount): Promise<void> {
  await turns.enter(run, 'first', soon())
  turns.note(run, bound)
  await turns.enter(run, 'first', soon())
}

/** Lets so many milliseconds pass for all that measure time in this process. */
function pass(milliseconds: number): void {
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + milliseconds)
  onTestFinished(() => clock.mockRestore())
}

test.each([
  ['without caps', {}],
  ['far from its cap on money', { cost: 1_000_000 }],
  ['far from its cap on tokens', { tokens: 1e12 }],
])('a run %s is not checked again, however long it plays', async (_, limits) => {
  const { world, reads } = faulty(await openTestWorld())
  const run = await openRun(world, limits)
  const turns = turnsOf(world)
  await enterWith(turns, run, { cost: 1000, tokens: 100 })
  const before = reads()
  pass(3_600_000)
  for (let at = 0; at < 50; at += 1) {
    turns.note(run, { cost: 1000 + at, tokens: 100 + at })
    await turns.enter(run, `episode-${at}`, soon())
  }
  expect(reads()).toBe(before)
})

test('the leases of its workers bring a run near its cap, and it is checked again', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { tokens: 1e9 })
  const turns = turnsOf(world)
  await enterWith(turns, run, { cost: 0, tokens: 1000 })
  expect(turns.isNear(run)).toBe(false)
  const row = await new RunStore(world).get(run)
  const caps = await readCaps(world, row)
  const used = { leased_tokens: 1e9 - 1_000_000 }
  turns.see(
    row,
    caps.map((each) => ({ ...each, ...used })),
  )
  expect(turns.isNear(run)).toBe(true)
})

test("a tenant's later cap holds for a run without caps", async () => {
  const world = await openTestWorld()
  const run = await openRun(world, {})
  const turns = turnsOf(world)
  await enterWith(turns, run, { cost: 1000, tokens: 100 })
  const row = await new RunStore(world).get(run)
  await setTenantCaps(world.ledger, row.tenant, { cap_cost: 600_000 })
  turns.see(row, await readCaps(world, row))
  await turns.enter(run, 'first', soon())
  await expect(turns.enter(run, 'second', AbortSignal.timeout(1200))).rejects.toThrow()
  expect(await world.ledger.get(ledgerKeys.tenantTurn(row.tenant, 0))).toMatchObject({ episode: 'first' })
})

test.each([
  ['each pays for all', 1_000_000, 2],
  ['only one is paid for', 1, 1],
])(
  'the first call of one worker shows the others how many episodes a cap pays for: %s',
  async (_, cost, playing) => {
    const world = await openTestWorld()
    const run = await openRun(world, { cost })
    const [one, two] = [turnsOf(world, 'one'), turnsOf(world, 'two')]
    await one.enter(run, 'first', soon())
    const signal = playing === 2 ? soon() : AbortSignal.timeout(2500)
    const entered = two.enter(run, 'second', signal).then(
      () => 2,
      () => 1,
    )
    one.note(run, { cost: 5_000_000, tokens: 5000 })
    expect(await entered).toBe(playing)
    expect(await world.ledger.get(ledgerKeys.turn(run, 0))).toMatchObject({ episode: 'first' })
  },
)

/** Cap of a run that pays for this many episodes at calls of a thousand nano-dollars each. */
const capFor = (episodes: number) => (episodes * 500 * 1000 * 1.25) / 1e9
const priced = { cost: 1000, tokens: 10 }

test('no bound that another worker shows takes a turn from an episode', async () => {
  const world = await openTestWorld()
  const run = await openRun(world, { cost: capFor(4) })
  await world.ledger.update({ key: ledgerKeys.run(run), set: { work_total: 100, max_parallel: 100 } })
  const turns = turnsOf(world)
  await turns.enter(run, 'first', soon())
  turns.note(run, priced)
  for (const episode of ['second', 'third']) await turns.enter(run, episode, soon())
  await turns.leave(run, 'first')
  await world.ledger.update({ key: ledgerKeys.holding('other', run), set: { run } })
  const dear = { run, episode: 'theirs', worker: 'other', take: 1, call_cost: 1e308, call_tokens: 0 }
  await world.ledger.update({ key: ledgerKeys.turn(run, 0), set: dear })
  await turns.enter(run, 'fourth', soon())
  turns.renew(run)
  await Promise.all(['second', 'third'].map((each) => turns.enter(run, each, soon())))
})

test('a bound that grows is shown again before an episode has ended, and each take shows its own alone', async () => {
  const world = await openTestWorld()
  const shown: LedgerChange[] = []
  let takes = 0
  const { ledger } = world
  const update = async (change: LedgerChange) => {
    if (change.set?.call_cost !== undefined) shown.push(change)
    if (change.set?.take !== undefined) takes += 1
    return ledger.update(change)
  }
  const watched = { ...world, ledger: { ...portsOf(world), update } }
  const run = await openRun(world, { cost: capFor(8) })
  await world.ledger.update({ key: ledgerKeys.run(run), set: { work_total: 100, max_parallel: 100 } })
  const turns = turnsOf(watched)
  await turns.enter(run, 'first', soon())
  turns.note(run, { cost: 0, tokens: 10 })
  turns.note(run, priced)
  const costs = () => shown.map(({ set }) => set?.call_cost)
  expect(costs()).toEqual([0, 1000])
  for (let at = 0; at < 6; at += 1) await turns.enter(run, `later-${at}`, soon())
  expect(takes).toBe(7)
  turns.note(run, { cost: 1100, tokens: 11 })
  expect(costs()).toEqual([0, ...Array(7).fill(1000)])
})

test('an episode gives its turn back once its run is far from every cap', async () => {
  const world = await openTestWorld()
  const [run, other] = [await openRun(world, {}), await openRun(world, {})]
  const { tenant } = await new RunStore(world).get(run)
  await setTenantCaps(world.ledger, tenant, { cap_cost: 1e15 })
  const [one, two] = [turnsOf(world, 'one'), turnsOf(world, 'two')]
  await enterWith(one, run, priced)
  expect(await world.ledger.get(ledgerKeys.tenantTurn(tenant, 0))).toBeNull()
  await two.enter(other, 'of the other run', soon())
})
