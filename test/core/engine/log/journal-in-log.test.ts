import { expect, test, vi } from 'vitest'
import { compress } from '../../../../shared/core/engine/gzip.ts'
import { Journal } from '../../../../shared/core/engine/journal.ts'
import { segmentKey } from '../../../../shared/core/engine/journal-keys.ts'
import { objectKeys } from '../../../../shared/core/engine/keys.ts'
import { WorkerLogs } from '../../../../shared/core/engine/log/worker-logs.ts'
import { hasMoreSegments, readJournal } from '../../../../shared/core/engine/read-journal.ts'
import type { World } from '../../../../shared/core/world/ports.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

const prefixOf = (episode: number) => objectKeys.journal('run', `ep-${episode}`, 1)
const line = (number: number) => ({ entry: { number } })

function openJournal(world: World, logs: WorkerLogs | null, { episode = 0, writer = 'writer' } = {}) {
  const { objects, clock } = world
  const log = logs && { log: () => logs.of('run') }
  return Journal.open({ objects, clock, prefix: prefixOf(episode), writer, code: 'code', ...log })
}

async function linesOf({ objects }: World, episode = 0): Promise<number[]> {
  const { records } = await readJournal(objects, prefixOf(episode))
  return records.flatMap((record) => ('entry' in record ? [Number(record.entry.number)] : []))
}

async function keysOf({ objects }: World, prefix: string): Promise<string[]> {
  return (await objects.list(prefix)).objects.map(({ key }) => key.slice(prefix.length))
}

test('segments of two episodes that come within a moment are one object, and each is read alone', async () => {
  const world = await openTestWorld()
  const logs = new WorkerLogs(world, 60_000)
  const journals = await Promise.all([0, 1].map((episode) => openJournal(world, logs, { episode })))
  const log = logs.of('run').prefix
  for (let number = 0; number < 4; number += 1)
    await Promise.all(journals.map((journal) => journal.append([line(number)], number)))
  expect(await keysOf(world, log)).toHaveLength(3)
  const read = vi.spyOn(world.objects, 'get')
  expect(await linesOf(world, 1)).toEqual([0, 1, 2, 3])
  // Its own object, the index, and its three segments.
  expect(read).toHaveBeenCalledTimes(5)
})

test('a segment waits for no one if every other episode of the log waits', async () => {
  const world = await openTestWorld()
  const logs = new WorkerLogs(world, 2 ** 30)
  const [one, other] = [await openJournal(world, logs), await openJournal(world, logs, { episode: 1 })]
  await one.append([line(0)], 0)
  await one.append([line(1)], 1)
  await other.append([line(0)], 0)
  const waiting = one.append([line(2)], 2)
  await other.close()
  await waiting
  expect(await linesOf(world)).toEqual([0, 1, 2])
})

test('a journal keeps no more than 32 segments in the log alone, and none once it is closed', async () => {
  const world = await openTestWorld()
  const logs = new WorkerLogs(world, 1)
  const journal = await openJournal(world, logs)
  for (let number = 0; number < 40; number += 1) await journal.append([line(number)], number)
  const numbers = Array.from({ length: 40 }, (_, number) => number)
  expect(await keysOf(world, prefixOf(0))).toEqual(['000001.jsonl.gz', '000002-000033.jsonl.gz'])
  expect(await linesOf(world)).toEqual(numbers)
  await journal.close()
  const read = vi.spyOn(world.objects, 'get')
  expect(await linesOf(world)).toEqual(numbers)
  expect(read.mock.calls.filter(([key]) => key.includes('/logs/'))).toEqual([])
  await journal.compact()
  expect((await readJournal(world.objects, prefixOf(0))).ranges).toMatchObject([{ from: 1, to: 41 }])
})

test('who takes an episode over ends the log: its writer loses that episode, and goes on with the others', async () => {
  const world = await openTestWorld()
  const logs = new WorkerLogs(world, 1)
  const [taken, kept] = [await openJournal(world, logs), await openJournal(world, logs, { episode: 1 })]
  for (const number of [0, 1]) for (const each of [taken, kept]) await each.append([line(number)], number)
  const thief = await openJournal(world, null, { writer: 'thief' })
  await thief.append([line(2)], 2)
  await expect(taken.append([line(7)], 7)).rejects.toThrow('Another worker has written')
  await kept.append([line(2)], 2)
  await kept.append([line(3)], 3)
  expect(await linesOf(world)).toEqual([0, 1, 2])
  expect(await linesOf(world, 1)).toEqual([0, 1, 2, 3])
})

test('a worker whose journal failed under it writes no more, and what was stored nevertheless is found', async () => {
  const world = await openTestWorld()
  const logs = new WorkerLogs(world, 1)
  const journal = await openJournal(world, logs)
  await journal.append([line(0)], 0)
  const log = logs.of('run').prefix
  const put = world.objects.put.bind(world.objects)
  const failing = vi.spyOn(world.objects, 'put').mockImplementation(async (...given) => {
    await put(...given)
    throw new Error('The answer was lost.')
  })
  vi.spyOn(world.objects, 'get').mockRejectedValue(new Error('The answer was lost.'))
  await expect(journal.append([line(1)], 1)).rejects.toThrow('The answer was lost.')
  vi.restoreAllMocks()
  expect(logs.of('run').prefix, 'others go on in another').not.toBe(log)
  expect(failing).toHaveBeenCalled()
  await expect(journal.append([line(2)], 2)).rejects.toThrow('read anew')
  await journal.close()
  expect(await keysOf(world, prefixOf(0))).toEqual(['000001.jsonl.gz'])
  const next = await openJournal(world, logs, { writer: 'next' })
  await next.append([line(2)], 2)
  expect(await linesOf(world)).toEqual([0, 1, 2])
})

test('progress in a log is progress', async () => {
  const world = await openTestWorld()
  const journal = await openJournal(world, new WorkerLogs(world, 1))
  expect(await hasMoreSegments(world.objects, prefixOf(0), 0)).toBe(false)
  for (const number of [0, 1, 2]) await journal.append([line(number)], number)
  expect(await hasMoreSegments(world.objects, prefixOf(0), 2)).toBe(true)
  expect(await hasMoreSegments(world.objects, prefixOf(0), 3)).toBe(false)
})

test('a damaged part of a log is an error that names the object', async () => {
  const world = await openTestWorld()
  const logs = new WorkerLogs(world, 1)
  const journal = await openJournal(world, logs)
  for (const number of [0, 1]) await journal.append([line(number)], number)
  const { prefix } = logs.of('run')
  const [name = ''] = await keysOf(world, prefix)
  const stored = await world.objects.get(prefix + name)
  const body = Buffer.from(stored?.body ?? [])
  for (let at = 0; at < body.length; at += 1) {
    // The time and the system in the head of a gzip stream say nothing.
    const flipped = Buffer.from(body)
    flipped[at] = (flipped[at] ?? 0) ^ 0x40
    await world.objects.put(prefix + name, flipped)
    await linesOf(world).then(
      (lines) => expect(lines, `byte ${at}`).toEqual([0, 1]),
      (error: unknown) =>
        expect(error).toMatchObject({ code: 'damaged_object', message: expect.stringContaining(name) }),
    )
  }
})

test('a version without logs plays on after the objects, and voids what it does not see in the log', async () => {
  const world = await openTestWorld()
  const dead = await openJournal(world, new WorkerLogs(world, 1))
  for (const number of [0, 1, 2]) await dead.append([line(number)], number)
  const header = { segment: 2, writer: 'old', code: 'code', at: new Date(0).toISOString(), elapsed: 0 }
  const body = await compress([header, line(7)].map((record) => `${JSON.stringify(record)}\n`).join(''))
  await world.objects.put(segmentKey(prefixOf(0), 2), body, { if_none_match: '*' })
  expect(await linesOf(world)).toEqual([0, 7])
  expect(await hasMoreSegments(world.objects, prefixOf(0), 2)).toBe(false)
  const next = await openJournal(world, new WorkerLogs(world, 1), { writer: 'next' })
  for (const number of [8, 9]) await next.append([line(number)], number)
  expect(await linesOf(world)).toEqual([0, 7, 8, 9])
})

test('a backup that has a log and the journal of a moment before is a journal that ends there', async () => {
  const world = await openTestWorld()
  const logs = new WorkerLogs(world, 1)
  const journal = await openJournal(world, logs)
  for (let number = 0; number < 36; number += 1) await journal.append([line(number)], number)
  await world.objects.delete(`${prefixOf(0)}000002-000033.jsonl.gz`)
  expect(await linesOf(world)).toEqual([0])
  expect(await hasMoreSegments(world.objects, prefixOf(0), 1)).toBe(false)
  const next = await openJournal(world, null, { writer: 'next' })
  await next.append([line(1)], 1)
  expect(await linesOf(world)).toEqual([0, 1])
})
