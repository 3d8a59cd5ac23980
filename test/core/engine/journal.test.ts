import { expect, test, vi } from 'vitest'
import { Journal } from '../../../shared/core/engine/journal.ts'
import { readJournal } from '../../../shared/core/engine/read-journal.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const prefix = 'runs/a/journal/'

const open = ({ objects, clock }: World) =>
  Journal.open({ objects, clock, prefix, writer: 'writer', code: 'test' })

const line = (number: number) => ({ entry: { number } })

test('a journal that grows is joined eight by eight, and reads none of its segments for that', async () => {
  const world = await openTestWorld()
  const journal = await open(world)
  const read = vi.spyOn(world.objects, 'get')
  for (let number = 1; number <= 63; number += 1) await journal.append([line(number)], number)
  expect(read).not.toHaveBeenCalled()
  await journal.append([line(64)], 64)
  expect(read).toHaveBeenCalledTimes(8)
  const { ranges } = await readJournal(world.objects, prefix)
  expect(ranges).toEqual([{ key: `${prefix}000001-000064.jsonl.gz`, from: 1, to: 64 }])
})

test('what was joined reads as the segments do, also when the journal was opened again in between', async () => {
  const world = await openTestWorld()
  const written = Array.from({ length: 21 }, (_, index) => line(index + 1))
  for (let at = 0; at < written.length; at += 5) {
    const journal = await open(world)
    for (const [index, record] of written.slice(at, at + 5).entries()) {
      await journal.append([record], at + index)
    }
  }
  const { ranges, records } = await readJournal(world.objects, prefix)
  expect(ranges.map(({ from, to }) => [from, to])).toEqual([
    [1, 8],
    [9, 16],
    [17, 17],
    [18, 18],
    [19, 19],
    [20, 20],
    [21, 21],
  ])
  expect(records.filter((record) => 'entry' in record)).toEqual(written)
  expect((await (await open(world)).compact()).filter((record) => 'entry' in record)).toEqual(written)
})
