import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { episodeId } from '../../shared/core/contracts/episode.ts'
import type { EpisodeRow } from '../../shared/core/engine/episodes/episode-row.ts'
import type { JoinedPorts } from '../../shared/core/engine/joining/join-gateway.ts'
import { ledgerKeys, objectKeys } from '../../shared/core/engine/keys.ts'
import type { IncomingMessage, LedgerChange, LedgerCondition } from '../../shared/core/world/ports.ts'
import { bytes } from '../core/contracts/world/contract-world.ts'
import { joinedWorkers, openTenants, type Tenants } from './open-tenants.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const { worker, other, stranger } = joinedWorkers

let tenants: Tenants
let ports: JoinedPorts
let run: string
let foreign: string
beforeEach(async () => {
  tenants = await openTenants(server)
  ports = tenants.portsOf(worker)
  for (const each of [worker, other, stranger]) await tenants.announce(each)
  foreign = await tenants.createRun('b', 2)
  run = await tenants.createRun('a', 3)
})

const episode = episodeId(0)
const unknown = /There is no run/
const refused = /This worker may not/

async function unchanged(act: () => Promise<unknown>, refusal: RegExp): Promise<void> {
  const before = await tenants.state()
  await expect(act()).rejects.toThrow(refusal)
  expect(await tenants.state()).toEqual(before)
}

async function take(from = ports): Promise<IncomingMessage[]> {
  return from.queues.episodes.receive({ max: 10, wait: 1, visibility: 600 })
}

async function claim(row: EpisodeRow, name = worker.name, from = ports) {
  const { starts, generation, attempt, idle_starts } = row
  const found = episodeIdOf(row)
  return from.ledger.update({
    key: ledgerKeys.episode(run, found),
    set: {
      ...{ status: 'running', worker: name, alone_with: null, deaths: [], attempt },
      ...{ starts: starts + 1, idle_starts: idle_starts + 1, unplayable: null, last_problem: null },
    },
    if: held({ starts, generation }),
  })
}

const episodeIdOf = ({ index }: EpisodeRow) => episodeId(index)

function held({ starts, generation }: Pick<EpisodeRow, 'starts' | 'generation'>): LedgerCondition[] {
  return [
    { attribute: 'starts', is: 'equal', value: starts },
    { attribute: 'generation', is: 'equal', value: generation },
    { attribute: 'status', is: 'one_of', values: ['queued', 'running'] },
  ]
}

async function rowOf(name = episode): Promise<EpisodeRow> {
  const item = await tenants.world.ledger.get(ledgerKeys.episode(run, name))
  if (item === null) throw new Error(`The run has no episode ${name}.`)
  return item as unknown as EpisodeRow
}

const usage = { model_calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 }
const won = {
  ...{ status: 'succeeded', reward: 1, success: true, limit: null, error: null, steps: 1, nodes: 2 },
  ...{ path_length: 1, primitive_steps: 1, progress_rate: null, grounding_accuracy: null },
  ...{ invalid_actions: 0, unparsable: 0, usage, working_seconds: 1, attempt: 1 },
}

async function end(
  row: EpisodeRow,
  change: Partial<typeof won> = {},
  counted = won,
): Promise<LedgerChange[]> {
  const name = episodeIdOf(row)
  const { task } = await tenants.engine.runs
    .of('a')
    .episodes(run, { limit: 100, order: 'asc', sort: 'index' } as never)
    .then(({ data }) => data[row.index] as { task: string })
  const { status, reward, steps, error } = counted
  return [
    {
      key: ledgerKeys.episode(run, name),
      set: {
        ...{ status: won.status, worker: null, alone_with: null, deaths: [], death_waits: 0, idle_starts: 0 },
        result: { ...won, ...change },
        learned: { memory: null, library: null },
        ended: { generation: row.generation, segments: 1 },
      },
      if: held(row),
    },
    { key: ledgerKeys.active(run, name), delete: true },
    {
      key: ledgerKeys.end(run, `000000000000001-${name}-${row.generation}`),
      set: {
        ...{ episode: name, task, purpose: 'play', generation: row.generation },
        ...{ result: { status, reward, steps, usage, error }, answers: null, earlier: null },
      },
    },
  ]
}

describe('another tenant', () => {
  test('has messages that no worker of this one gets', async () => {
    const messages = await take()
    expect(messages.map(({ group }) => group)).toEqual([run, run, run])
    const theirs = await take(tenants.portsOf(stranger))
    expect(theirs.map(({ group }) => group)).toEqual([foreign, foreign])
  })

  test('has runs that seem not to exist', async () => {
    await take()
    const key = ledgerKeys.run(foreign)
    await unchanged(() => ports.ledger.get(key), unknown)
    await unchanged(() => ports.ledger.query(`run/${foreign}/episodes`), unknown)
    await unchanged(() => ports.objects.get(objectKeys.tasks(foreign)), unknown)
    await unchanged(() => ports.objects.list(`runs/${foreign}/`), unknown)
    await unchanged(() => ports.objects.put(objectKeys.result(foreign, episode), bytes('{}')), unknown)
    await unchanged(() => ports.ledger.update({ key, set: { status: 'cancelled' } }), unknown)
    await unchanged(() => ports.tend(foreign), unknown)
    const message = { body: { run: foreign, episode }, group: foreign }
    await unchanged(() => ports.queues.episodes.send([message]), refused)
  })

  test.each([
    ['keys', 'key-1'],
    ['tenant/a/keys', 'key-1'],
    ['tenants', 'b'],
    ['tenant/b/turns', '0'],
    ['reservations/joined-two-1', 'joined-two-1-1'],
    ['open-runs', 'run-1'],
    ['taken/joined-two-1', 'x'],
  ])('and secrets of the service are not read: %s', async (partition, sort) => {
    await unchanged(() => ports.ledger.get({ partition, sort }), refused)
    await unchanged(() => ports.ledger.update({ key: { partition, sort }, set: { a: 1 } }), refused)
    await unchanged(() => ports.ledger.query(partition), refused)
  })

  test('endpoints of the service are as if there were none', async () => {
    await tenants.world.ledger.update({
      key: { partition: 'endpoints', sort: 'paid' },
      set: { key: 'secret' },
    })
    expect(await ports.ledger.query('endpoints')).toEqual({ items: [], more: false })
    expect(await ports.ledger.get({ partition: 'endpoints', sort: 'paid' })).toBeNull()
    await unchanged(() => ports.objects.get('health/probe'), refused)
    await unchanged(() => ports.objects.list('runs/'), refused)
    await unchanged(() => ports.objects.list(''), refused)
    await unchanged(() => ports.objects.list('blobs/'), refused)
  })
})

describe('an episode that the worker does not hold', () => {
  test('is not claimed, played or ended without its message', async () => {
    const row = await rowOf()
    await unchanged(() => claim(row), refused)
    await unchanged(async () => ports.ledger.transact(await end(row)), refused)
    const segment = `${objectKeys.journal(run, episode, 1)}000001.jsonl.gz`
    await unchanged(() => ports.objects.put(segment, bytes('x'), { if_none_match: '*' }), refused)
    await unchanged(() => ports.objects.put(objectKeys.result(run, episode), bytes('{}')), refused)
    await unchanged(
      () => ports.ledger.update({ key: ledgerKeys.active(run, episode), delete: true }),
      refused,
    )
  })

  test('is not ended with its message alone', async () => {
    await take()
    const row = await rowOf()
    await unchanged(async () => ports.ledger.transact(await end(row)), refused)
    await unchanged(() => ports.objects.put(objectKeys.tree(run, episode), bytes('{}')), refused)
  })

  test('is not taken from a worker that lives', async () => {
    await take()
    const theirs = tenants.portsOf(other)
    const { clock, ledger } = tenants.world
    await ledger.update({ key: ledgerKeys.worker(other.name), set: { expires: clock.now() + 30_000 } })
    await ledger.update({
      key: ledgerKeys.episode(run, episode),
      set: { status: 'running', worker: other.name },
    })
    const row = await rowOf()
    await unchanged(() => claim(row), refused)
    await unchanged(async () => ports.ledger.transact(await end(row)), refused)
    // Nor does its own name help a worker that has no message of it.
    await unchanged(async () => theirs.ledger.transact(await end(row)), refused)
  })
})

describe('an episode that the worker holds', () => {
  let row: EpisodeRow
  beforeEach(async () => {
    await take()
    const claimed = await claim(await rowOf())
    expect(claimed.ok).toBe(true)
    row = await rowOf()
  })

  test('ends once: the same end again, or another, changes nothing', async () => {
    await ports.objects.put(objectKeys.result(run, episode), bytes(JSON.stringify(won)))
    const changes = await end(row)
    expect(await ports.ledger.transact(changes)).toEqual({ ok: true })
    const before = await tenants.state()
    expect(await ports.ledger.transact(changes)).toEqual({ ok: false, failed: 0 })
    expect(await ports.ledger.transact(changes.slice(0, 2))).toEqual({ ok: false, failed: 0 })
    expect(await tenants.state()).toEqual(before)
    await unchanged(() => ports.objects.put(objectKeys.result(run, episode), bytes('{"reward":1}')), refused)
    await unchanged(() => ports.ledger.update({ key: (changes[2] as LedgerChange).key, set: {} }), refused)
  })

  test('has one end: its counters say what its result says', async () => {
    await unchanged(async () => ports.ledger.transact(await end(row, { reward: 0 })), refused)
    await unchanged(async () => ports.ledger.transact(await end(row, { status: 'failed' })), refused)
    await unchanged(async () => ports.ledger.transact(await end(row, {}, { ...won, reward: 0.5 })), refused)
    const changes = await end(row)
    await unchanged(() => ports.ledger.transact([changes[0] as LedgerChange]), refused)
    const [first, second, third] = changes as [LedgerChange, LedgerChange, LedgerChange]
    const elsewhere = { ...third, key: ledgerKeys.end(run, `000000000000001-${episodeId(1)}-1`) }
    await unchanged(() => ports.ledger.transact([first, second, elsewhere]), refused)
    const longer = { ...third, set: { ...third.set, generation: 2 } }
    await unchanged(() => ports.ledger.transact([first, second, longer]), refused)
    const also = { key: ledgerKeys.run(run), set: { done: 3 } }
    await unchanged(() => ports.ledger.transact([...changes, also]), refused)
  })

  test('has a journal that grows alone', async () => {
    const prefix = objectKeys.journal(run, episode, 1)
    const first = `${prefix}000001.jsonl.gz`
    expect((await ports.objects.put(first, bytes('x'), { if_none_match: '*' })).written).toBe(true)
    expect(await ports.objects.put(first, bytes('y'), { if_none_match: '*' })).toEqual({ written: false })
    await unchanged(() => ports.objects.put(first, bytes('y')), refused)
    await unchanged(() => ports.objects.delete(first), refused)
    const later = `${objectKeys.journal(run, episode, 2)}000001.jsonl.gz`
    await unchanged(() => ports.objects.put(later, bytes('y'), { if_none_match: '*' }), refused)
    await unchanged(() => ports.objects.put(objectKeys.definition(run), bytes('{}')), refused)
    await unchanged(() => ports.objects.put(`blobs/${'0'.repeat(64)}`, bytes('y')), refused)
  })

  test('gives no right over its run: counters, caps, its end and its events', async () => {
    const { sequence } = (await tenants.world.ledger.get(ledgerKeys.run(run))) as { sequence: number }
    const based: LedgerCondition[] = [{ attribute: 'sequence', is: 'equal', value: sequence }]
    const change = (set: LedgerChange['set']) => ({
      key: ledgerKeys.run(run),
      set: { ...set, sequence: sequence + 1 },
      if: based,
    })
    for (const set of [
      { status: 'succeeded' },
      { status: 'cancelled', reason: 'no' },
      { done: 3 },
      { cap_cost: null },
      { tenant: 'b' },
      { running_milliseconds: -1 },
      { generation: 2 },
      { ended_at: 5 },
    ])
      await unchanged(() => ports.ledger.update(change(set)), refused)
    const ending = { type: 'episode.ended', sequence: sequence + 1 }
    const event = { key: ledgerKeys.event(run, sequence + 1), set: ending }
    await unchanged(() => ports.ledger.transact([change({ status: 'running' }), event]), refused)
    await unchanged(() => ports.ledger.update(event), refused)
    await unchanged(() => ports.ledger.update({ ...change({ status: 'running' }), if: [] }), refused)
    await unchanged(() => ports.ledger.update({ key: ledgerKeys.run(run), delete: true }), refused)
  })

  test('gives no money away: spending grows, and leases keep to it', async () => {
    const { name } = worker
    expect((await ports.ledger.update({ key: ledgerKeys.holding(name, run), set: { run } })).ok).toBe(true)
    const spending = ledgerKeys.spending(run, name)
    const block = { run, endpoint: 'simulated', model: 'simulated', cost: 10, tokens: 10, calls: [1] }
    const reservation = ledgerKeys.reservation(name, `${name}-1`)
    expect((await ports.ledger.update({ key: reservation, set: block })).ok).toBe(true)
    const counted = { spent_cost: 5, input_tokens: 3, output_tokens: 2, model_calls: 1 }
    const settled = await ports.ledger.transact([
      { key: reservation, delete: true, if: [{ attribute: 'cost', is: 'equal', value: 10 }] },
      { key: spending, add: counted },
    ])
    expect(settled).toEqual({ ok: true })
    const two = [2, 3].map((call) => ledgerKeys.reservation(name, `${name}-${call}`))
    for (const key of two) expect((await ports.ledger.update({ key, set: block })).ok).toBe(true)
    const both = two.map((key) => ({ key, delete: true as const }))
    const theirs = { key: ledgerKeys.spending(run, other.name), add: counted }
    for (const more of [
      [],
      [{ key: spending, add: { spent_cost: -5 } }],
      [{ key: spending, set: { spent_cost: 0 } }],
      [{ key: ledgerKeys.leases(run), add: { leased_cost: -5 } }],
      [{ key: spending, add: counted }, theirs],
    ] as LedgerChange[][])
      await unchanged(() => ports.ledger.transact([...both, ...more]), refused)
    const elsewhere = { key: ledgerKeys.spending(foreign, name), add: counted }
    await unchanged(() => ports.ledger.transact([...both, elsewhere]), unknown)
    const counts = [...both, { key: spending, add: { model_calls: 2 } }]
    expect(await ports.ledger.transact(counts)).toEqual({ ok: true })
    const leases = ledgerKeys.leases(run)
    const tenant = ledgerKeys.tenant('a')
    const lease = (own: number, run_: number, tenant_: number): LedgerChange[] => [
      { key: spending, add: { leased_cost: own, tenant_leased_cost: tenant_ } },
      { key: leases, add: { leased_cost: run_ } },
      { key: tenant, add: { leased_cost: tenant_ } },
    ]
    expect(await ports.ledger.transact(lease(20, 20, 20))).toEqual({ ok: true })
    expect(await ports.ledger.transact(lease(-15, -15, -15))).toEqual({ ok: true })
    for (const changes of [
      lease(-1, -1, -1),
      lease(0, -100, 0),
      lease(-10, -1, 0),
      [{ key: tenant, add: { leased_cost: -100 } }],
      [{ key: leases, set: { leased_cost: 0 } }],
      [{ key: spending, add: { spent_cost: -5 } }],
      [{ key: spending, delete: true as const }],
      [{ key: ledgerKeys.spending(run, other.name), add: counted }],
      [{ key: ledgerKeys.spending(run, 'total-0'), add: counted }],
      [{ key: tenant, set: { cap_cost: null } }],
      [
        { key: spending, delete: true as const },
        { key: ledgerKeys.spending(run, 'total-0'), add: { spent_cost: 0 } },
      ],
      [{ key: ledgerKeys.reservation(other.name, 'x'), set: block }],
      [{ key: ledgerKeys.holding(other.name, run), delete: true as const }],
      [{ key: ledgerKeys.worker(other.name), delete: true as const }],
    ] as LedgerChange[][])
      await unchanged(() => ports.ledger.transact(changes), refused)
  })

  test('is given back with its message, and then no longer held', async () => {
    const released = { status: 'queued', worker: null, alone_with: null, idle_starts: 0 }
    const change = { key: ledgerKeys.episode(run, episode), set: released, if: held(row) }
    expect((await ports.ledger.update(change)).ok).toBe(true)
    await unchanged(() => ports.objects.put(objectKeys.tree(run, episode), bytes('{}')), refused)
    await unchanged(async () => ports.ledger.transact(await end(await rowOf())), refused)
  })
})

test('queues that are not for workers are closed, and receipts of others do nothing', async () => {
  const [message] = await take(tenants.portsOf(other))
  const before = await tenants.state()
  await ports.queues.episodes.delete(message?.receipt ?? '')
  await ports.queues.episodes.extend(message?.receipt ?? '', 0)
  expect(await tenants.state()).toEqual(before)
  const options = { max: 1, wait: 0, visibility: 1 }
  await unchanged(() => ports.queues.datasets.receive(options), refused)
  await unchanged(() => ports.queues.jobs.send([{ body: {}, group: 'x' }]), refused)
  await unchanged(() => ports.queues.episodes.dead_letters.receive(options), refused)
})

test('whatever an honest worker did, repeated by anyone, changes nothing', async () => {
  const done: { what: string; again: (to: JoinedPorts) => Promise<unknown> }[] = []
  const note = (what: string, again: (to: JoinedPorts) => Promise<unknown>) => {
    done.push({ what, again })
    return again(ports)
  }
  const { ledger, objects, queues } = ports
  const recorded: JoinedPorts = {
    ledger: {
      ...ledger,
      update: (change) => note(`update ${change.key.partition}`, (to) => to.ledger.update(change)) as never,
      transact: (changes) =>
        note(`transact ${changes[0]?.key.partition}`, (to) => to.ledger.transact(changes)) as never,
    },
    objects: {
      ...objects,
      put: (key, body, options) => note(`put ${key}`, (to) => to.objects.put(key, body, options)) as never,
    },
    queues: {
      ...queues,
      episodes: {
        ...queues.episodes,
        send: (messages) => note('send', (to) => to.queues.episodes.send(messages)) as never,
      },
    },
    tend: (of) => note('tend', (to) => to.tend(of)) as never,
  }
  await tenants.playAs(worker, run, recorded)
  const played = await tenants.engine.runs.of('a').get(run)
  expect(played.status).toBe('succeeded')
  expect(played.episodes).toMatchObject({ total: 3, errored: 0 })
  expect(done.length).toBeGreaterThan(50)
  const before = await tenants.state()
  for (const one of [worker, other, stranger])
    for (const { what, again } of done) {
      await again(tenants.portsOf(one)).catch(() => undefined)
      expect(await tenants.state(), `${what} by ${one.name}`).toEqual(before)
    }
})
