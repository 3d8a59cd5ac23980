import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SessionTable } from '../../../containers/env-host/session-table.ts'
import { hashState } from '../../../shared/environments/hash-state.ts'
import { extendPath, startPath } from '../../../shared/environments/session-path.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { codeOf } from './code-of.ts'
import { openTable } from './open-table.ts'

const task = { environment: 'textcraft', task: 'textcraft-0042', seed: 0 }
describe('a session', () => {
  test('plays as the environment does, and its path can be computed from actions and answers', async () => {
    const { table } = await openTable()
    const { id, observation, path } = await table.create({ ...task, token: 1 })
    let { state, observation: opening } = textcraft.reset(task.task, 0)
    expect(observation).toBe(opening)
    let expected = startPath(task, { observation, reward: 0, done: false })
    expect(path).toBe(expected)
    for (const [index, action] of ['inventory', 'get 1 oak log', 'nonsense'].entries()) {
      const answer = await table.step(id, { action, step_index: index, token: 1 })
      const { state: next, ...own } = textcraft.step(state, action)
      state = next
      opening = own.observation
      expected = extendPath(expected, action, own)
      expect(answer).toEqual({
        object: 'session.step',
        session: id,
        step_index: index,
        ...own,
        state_hash: hashState(next),
        path: expected,
      })
    }
  })

  test('answers a step that is sent again as it did the first time, however long ago', async () => {
    const { table } = await openTable()
    const { id } = await table.create({ ...task, token: 1 })
    const answers = await Promise.all(
      ['inventory', 'get 1 oak log', 'inventory'].map((action, step_index) =>
        table.step(id, { action, step_index, token: 1 }),
      ),
    )
    expect(await table.step(id, { action: 'inventory', step_index: 2, token: 1 })).toEqual(answers[2])
    expect(await table.step(id, { action: 'inventory', step_index: 0, token: 1 })).toEqual(answers[0])
    expect((await table.snapshot(id, 1)).step_index).toBe(3)
  })

  test('refuses another action under a known index, and an index that is not the next', async () => {
    const { table } = await openTable()
    const { id } = await table.create({ ...task, token: 1 })
    await table.step(id, { action: 'inventory', step_index: 0, token: 1 })
    const before = await table.snapshot(id, 1)
    expect(await codeOf(() => table.step(id, { action: 'get 1 stick', step_index: 0, token: 1 }))).toBe(
      'step_conflict',
    )
    expect(await codeOf(() => table.step(id, { action: 'inventory', step_index: 2, token: 1 }))).toBe(
      'step_conflict',
    )
    expect(await table.snapshot(id, 1)).toEqual(before)
  })

  test('is taken over by a higher token, for every kind of call, and lost to the lower one', async () => {
    const { table } = await openTable()
    const { id } = await table.create({ ...task, id: 'slot-1', token: 5 })
    await table.step(id, { action: 'inventory', step_index: 0, token: 7 })
    const late = [
      () => table.step(id, { action: 'inventory', step_index: 1, token: 5 }),
      () => table.snapshot(id, 6),
      () => table.fork(id, { token: 6, fork: { token: 9 } }),
      () => table.close(id, 6),
      () => table.create({ ...task, id: 'slot-1', token: 6 }),
    ]
    expect(await Promise.all(late.map(codeOf))).toEqual(Array.from(late, () => 'session_fenced'))
    expect((await table.snapshot(id, 7)).step_index).toBe(1)
  })

  test('opened again by the same request is the same, and by a higher token a new one', async () => {
    const { table } = await openTable()
    const request = { ...task, id: 'slot-1', token: 1 }
    const opened = await table.create(request)
    await table.step('slot-1', { action: 'inventory', step_index: 0, token: 1 })
    expect(await table.create(request)).toEqual(opened)
    expect((await table.snapshot('slot-1', 1)).step_index).toBe(1)
    expect(await codeOf(() => table.create({ ...request, seed: 1 }))).toBe('conflict')
    await table.create({ ...request, seed: 1, token: 2 })
    expect((await table.snapshot('slot-1', 2)).step_index).toBe(0)
    expect(table.health().sessions).toBe(1)
  })

  test('forked goes its own way, and so does the one it was forked from', async () => {
    const { table } = await openTable()
    const { id } = await table.create({ ...task, token: 1 })
    await table.step(id, { action: 'inventory', step_index: 0, token: 1 })
    const ask = { token: 1, fork: { id: 'slot-2', token: 4 } }
    const fork = await table.fork(id, ask)
    expect(fork).toMatchObject({ id: 'slot-2', step_index: 1, path: (await table.snapshot(id, 1)).path })
    const own = await table.step(id, { action: 'get 1 stick', step_index: 1, token: 1 })
    expect(await table.fork(id, ask)).toEqual(fork)
    expect((await table.snapshot('slot-2', 4)).step_index).toBe(1)
    const other = await table.step('slot-2', { action: 'inventory', step_index: 1, token: 4 })
    expect(other.path).not.toBe(own.path)
    expect((await table.step('slot-2', { action: 'inventory', step_index: 0, token: 4 })).step_index).toBe(0)
    await table.close(id, 1)
    expect((await table.step('slot-2', { action: 'inventory', step_index: 2, token: 4 })).done).toBe(false)
  })

  test('goes on from a snapshot on another host; a changed snapshot is refused', async () => {
    const one = (await openTable()).table
    const two = (await openTable()).table
    const { id } = await one.create({ ...task, token: 1 })
    await one.step(id, { action: 'inventory', step_index: 0, token: 1 })
    const snapshot = JSON.parse(JSON.stringify(await one.snapshot(id, 1)))
    const moved = await two.create({ ...task, token: 1, snapshot })
    const next = { action: 'inventory', step_index: 1, token: 1 }
    expect({ ...(await two.step(moved.id, next)), session: id }).toEqual(await one.step(id, next))
    expect(await codeOf(() => two.step(moved.id, { ...next, step_index: 0 }))).toBe('step_conflict')
    const changed = { ...snapshot, state: { ...snapshot.state, inventory: { 'minecraft:stick': 64 } } }
    expect(await codeOf(() => two.create({ ...task, token: 1, snapshot: changed }))).toBe('invalid_request')
    expect(await codeOf(() => two.create({ ...task, seed: 1, token: 1, snapshot }))).toBe('invalid_request')
  })

  test('takes no step after its end', async () => {
    const { table } = await openTable()
    const { id, snapshot } = await finishedSession(table)
    expect(snapshot).toMatchObject({ done: true, reward: 1 })
    const step = { action: 'inventory', step_index: snapshot.step_index, token: 1 }
    expect(await codeOf(() => table.step(id, step))).toBe('session_done')
    expect(await table.snapshot(id, 1)).toEqual(snapshot)
  })

  test('whatever is sent, its steps are those that were taken, one answer each', async () => {
    const sent = fc.record({
      action: fc.constantFrom('inventory', 'get 1 stick', 'get 1 oak log'),
      step_index: fc.nat(6),
      token: fc.integer({ min: 1, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { maxLength: 40 }), async (calls) => {
        const { table } = await openTable()
        const { id } = await table.create({ ...task, token: 1 })
        const taken: { action: string; answer: unknown }[] = []
        let highest = 1
        for (const call of calls) {
          const known = taken[call.step_index]
          const expected =
            call.token < highest
              ? 'session_fenced'
              : call.step_index > taken.length || (known && known.action !== call.action)
                ? 'step_conflict'
                : null
          highest = Math.max(highest, call.token)
          if (expected !== null) {
            expect(await codeOf(() => table.step(id, call))).toBe(expected)
            continue
          }
          const answer = await table.step(id, call)
          if (known === undefined) taken.push({ action: call.action, answer })
          else expect(answer).toEqual(known.answer)
        }
      }),
    )
  })
})

describe('a table of sessions', () => {
  test('holds as many as it has slots, and takes more when one is closed', async () => {
    const { table } = await openTable({ slots: 2 })
    const { id } = await table.create({ ...task, token: 1 })
    await table.create({ ...task, token: 1 })
    expect(await codeOf(() => table.create({ ...task, token: 1 }))).toBe('host_full')
    expect(await codeOf(() => table.fork(id, { token: 1, fork: { token: 1 } }))).toBe('host_full')
    expect(table.health()).toMatchObject({ slots: 2, sessions: 2, free_slots: 0 })
    await table.close(id, 1)
    expect((await table.create({ ...task, token: 1 })).step_index).toBe(0)
  })

  test('knows closed sessions no more', async () => {
    const { table } = await openTable()
    const { id } = await table.create({ ...task, token: 1 })
    await table.close(id, 1)
    expect(await codeOf(() => table.close(id, 1))).toBe('unknown_session')
    expect(await codeOf(() => table.step(id, { action: 'inventory', step_index: 0, token: 1 }))).toBe(
      'unknown_session',
    )
  })

  test('closes unused sessions, and only those', async () => {
    const { table, clock } = await openTable({ sessionIdle: 60 })
    const [first, second] = [
      await table.create({ ...task, token: 1 }),
      await table.create({ ...task, token: 1 }),
    ]
    clock.now = 40_000
    await table.step(first.id, { action: 'inventory', step_index: 0, token: 1 })
    clock.now = 60_000
    expect(table.reap()).toBe(1)
    expect(await codeOf(() => table.snapshot(second.id, 1))).toBe('unknown_session')
    expect((await table.snapshot(first.id, 1)).step_index).toBe(1)
    clock.now = 200_000
    expect(table.reap()).toBe(1)
    clock.now = 230_000
    expect(table.health()).toMatchObject({ sessions: 0, idle_for: 30 })
  })

  test('refuses unknown environments and tasks, and holds nothing then', async () => {
    const { table } = await openTable()
    expect(await codeOf(() => table.create({ ...task, environment: 'chess', token: 1 }))).toBe(
      'unknown_environment',
    )
    expect(await codeOf(() => table.create({ ...task, task: 'textcraft-9999', token: 1 }))).toBe(
      'unknown_task',
    )
    expect(table.health().sessions).toBe(0)
  })

  test('drains: sessions go on, and there are no new ones', async () => {
    const { table } = await openTable()
    const { id } = await table.create({ ...task, token: 1 })
    table.drain()
    expect(await codeOf(() => table.create({ ...task, token: 1 }))).toBe('host_draining')
    expect(await codeOf(() => table.fork(id, { token: 1, fork: { token: 1 } }))).toBe('host_draining')
    expect((await table.step(id, { action: 'inventory', step_index: 0, token: 1 })).step_index).toBe(0)
    expect(table.health()).toMatchObject({ status: 'draining', free_slots: 0, sessions: 1 })
  })

  test('opens no other session once a session left something behind, and leaves when its own is over', async () => {
    let isSpent = false
    const { table } = await openTable({ isSpent: () => isSpent })
    const { id } = await table.create({ ...task, id: 'slot-1', token: 1 })
    isSpent = true
    expect(await codeOf(() => table.create({ ...task, id: 'slot-2', token: 1 }))).toBe('host_draining')
    expect((await table.step(id, { action: 'inventory', step_index: 0, token: 1 })).step_index).toBe(0)
    expect((await table.restore(id, { token: 1 })).step_index).toBe(0)
    expect(table.health()).toMatchObject({ status: 'draining', free_slots: 0, sessions: 1 })
    expect(table.isSpent).toBe(false)
    // Who has the slot now takes no notice of the session that is there still.
    expect(await codeOf(() => table.create({ ...task, id: 'slot-1', token: 2 }))).toBe('host_draining')
    expect(table.health()).toMatchObject({ status: 'draining', free_slots: 0, sessions: 0 })
    expect(table.isSpent).toBe(true)
  })

  test('goes on after such a session where no other host would take its place', async () => {
    const { table } = await openTable({ isSpent: () => true, leavesSpent: false })
    await table.create({ ...task, id: 'slot-1', token: 1 })
    expect((await table.create({ ...task, id: 'slot-1', token: 2 })).step_index).toBe(0)
    expect(table.health()).toMatchObject({ status: 'ok', free_slots: 9, sessions: 1 })
    expect(table.isSpent).toBe(false)
  })

  test('keeps nothing of ten thousand sessions that came and went', async () => {
    const { table } = await openTable()
    for (let count = 0; count < 10_000; count += 1) {
      const { id } = await table.create({ ...task, token: 1 })
      await table.close(id, 1)
    }
    expect(table.health()).toMatchObject({ sessions: 0, free_slots: 10 })
  })
})

/** A session that has reached its goal: the first task whose goal one recipe of things at hand makes. */
async function finishedSession(table: SessionTable) {
  const easy = textcraft.tasks().find(({ type }) => type === 'depth-1')
  if (easy === undefined) throw new Error('There are tasks of depth 1.')
  const { id, observation } = await table.create({ ...task, task: easy.id, token: 1 })
  const goal = /Goal: craft (.*)\.$/.exec(observation)?.[1] ?? ''
  const command = observation.split('\n').find((line) => line.startsWith(`craft 1 ${goal} using`))
  const needed = (command ?? '').split(' using ')[1]?.split(', ') ?? []
  const actions = [...needed.map((item) => `get ${item}`), command ?? '']
  for (const [step_index, action] of actions.entries()) await table.step(id, { action, step_index, token: 1 })
  return { id, snapshot: await table.snapshot(id, 1) }
}
