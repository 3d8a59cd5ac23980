import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import type { DataPack } from '../../../shared/environments/data-pack.ts'
import type { PureEnvironment } from '../../../shared/environments/environment.ts'
import type { EnvironmentDefinition } from '../../../shared/environments/environment-definition.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { codeOf } from './code-of.ts'
import { openTable } from './open-table.ts'

const task = { environment: 'textcraft', task: 'textcraft-0042', seed: 0, token: 1 }

describe('a session put back', () => {
  test('to its start is as it was opened, and takes other steps from there', async () => {
    const { table } = await openTable()
    const opened = await table.create(task)
    await table.step(opened.id, { action: 'get 2 oak logs', step_index: 0, token: 1 })
    expect(await table.restore(opened.id, { token: 1 })).toEqual(opened)
    const { observation } = await table.step(opened.id, { action: 'inventory', step_index: 0, token: 1 })
    expect(observation).toBe('Inventory: You are not carrying anything.')
  })

  test('to a snapshot goes on as it did from there', async () => {
    const { table } = await openTable()
    const { id } = await table.create(task)
    const first = await table.step(id, { action: 'get 2 oak logs', step_index: 0, token: 1, snapshot: true })
    const { snapshot } = first
    const step = { action: 'inventory', step_index: 1, token: 1 }
    const next = await table.step(id, step)
    await table.step(id, { action: 'get 1 stick', step_index: 2, token: 1 })
    if (snapshot === undefined) throw new Error('A pure environment answers with snapshots.')
    const { digest, state, ...answered } = snapshot
    expect(await table.restore(id, { token: 1, snapshot })).toMatchObject(answered)
    expect(answered).toMatchObject({ path: first.path, state_hash: first.state_hash, step_index: 1 })
    expect(await table.step(id, step)).toEqual(next)
    expect(await codeOf(() => table.step(id, { ...step, step_index: 0 }))).toBe('step_conflict')
  })

  test('to what is no snapshot of it stays where it is', async () => {
    const { table } = await openTable()
    const { id } = await table.create(task)
    await table.step(id, { action: 'get 2 oak logs', step_index: 0, token: 1 })
    const snapshot = await table.snapshot(id, 1)
    const other = await table.create({ ...task, seed: 1 })
    const wrong = [
      () => table.restore(id, { token: 1, snapshot: { ...snapshot, progress: 1 } }),
      () => table.restore(id, { token: 1, snapshot: { ...snapshot, state_hash: 'another' } }),
      () => table.restore(other.id, { token: 1, snapshot }),
    ]
    expect(await Promise.all(wrong.map(codeOf))).toEqual(wrong.map(() => 'invalid_request'))
    expect(await table.snapshot(id, 1)).toEqual(snapshot)
  })

  test('is restored by the highest token alone', async () => {
    const { table } = await openTable()
    const { id } = await table.create({ ...task, token: 5 })
    expect(await codeOf(() => table.restore(id, { token: 4 }))).toBe('session_fenced')
  })
})

describe('a step that says where it goes on from', () => {
  test('is taken there and nowhere else, and answered again all the same', async () => {
    const { table } = await openTable()
    const { id, path } = await table.create(task)
    const step = { action: 'inventory', step_index: 0, token: 1, from: path }
    expect(await codeOf(() => table.step(id, { ...step, from: 'elsewhere' }))).toBe('step_conflict')
    const first = await table.step(id, step)
    const next = await table.step(id, { ...step, step_index: 1, from: first.path, snapshot: true })
    expect(await table.step(id, step)).toEqual(first)
    expect(await codeOf(() => table.step(id, { ...step, from: 'elsewhere' }))).toBe('step_conflict')
    expect(await table.step(id, { ...step, step_index: 1, from: first.path, snapshot: true })).toEqual(next)
    expect(next.snapshot).toEqual(await table.snapshot(id, 1))
  })
})

describe('files of a data pack', () => {
  test('are what the environment is opened over, once for the same files', async () => {
    const packs: DataPack[] = []
    const { table } = await openTable({ definitions: [echoing(packs)] })
    const create = (text: string) =>
      table.create({ ...task, environment: 'echoing', task: 'any', files: { 'a/b.txt': text } })
    expect((await create('one')).observation).toBe('a/b.txt: one')
    expect((await create('two')).observation).toBe('a/b.txt: two')
    expect((await create('one')).observation).toBe('a/b.txt: one')
    expect(packs.map(({ files }) => files)).toEqual([['a/b.txt'], ['a/b.txt']])
    expect(new Set(packs.map(({ digest }) => digest)).size).toBe(2)
  })

  test('belong to the request: the same id with others is another request', async () => {
    const { table } = await openTable({ definitions: [echoing([])] })
    const ask = { ...task, environment: 'echoing', task: 'any', id: 'slot-1', files: { a: 'one' } }
    const opened = await table.create(ask)
    expect(await table.create(ask)).toEqual(opened)
    expect(await codeOf(() => table.create({ ...ask, files: { a: 'two' } }))).toBe('conflict')
  })

  test('are refused by an environment that takes none', async () => {
    const { table } = await openTable()
    expect(await codeOf(() => table.create({ ...task, files: { a: 'b' } }))).toBe('invalid_request')
    expect(table.health().sessions).toBe(0)
  })
})

test('ten thousand sessions that came and went leave the memory as it was', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const { table } = await openTable()
  const use = async (times: number) => {
    for (let count = 0; count < times; count += 1) {
      const { id } = await table.create(task)
      await table.step(id, { action: 'inventory', step_index: 0, token: 1 })
      await table.close(id, 1)
    }
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = await use(1000)
  const after = await use(10_000)
  expect(table.health()).toMatchObject({ sessions: 0, free_slots: 10 })
  // One session takes 10 kB: had only a twentieth of them stayed, it would be more.
  expect(after - before).toBeLessThan(5e6)
})

/** An environment over a pack, whose first observation is what the pack holds. */
function echoing(opened: DataPack[]): EnvironmentDefinition {
  const core = (observation: string): PureEnvironment => ({
    ...textcraft,
    id: 'echoing',
    open: async () => ({
      reset: () => ({ state: {}, observation }),
      step: (state) => ({ state, observation, reward: 0, done: false, valid: true, progress: 0 }),
    }),
  })
  return {
    id: 'echoing',
    pack: { description: 'Any files.', downloads: [], async *collect() {} },
    async open(pack) {
      if (pack === null) return core('nothing')
      opened.push(pack)
      const [path = ''] = pack.files
      return core(`${path}: ${Buffer.from(await pack.read(path)).toString()}`)
    },
  }
}
