import { expect, test } from 'vitest'
import { type Episode, episodeId } from '../../../shared/core/contracts/episode.ts'
import { toList } from '../../../shared/core/contracts/list.ts'
import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import type { JournalRecord } from '../../../shared/core/engine/journal-record.ts'
import { countNoteUses } from '../../../shared/insight/inspection/note-uses.ts'
import { open } from '../../builders/journals.ts'
import { toNote } from '../../support/open-learning-engine.ts'

const note = (index: number, said: string): MemoryNote => ({ ...toNote({ index, task: 't' }, 0), note: said })

function recall(node: number, notes: readonly MemoryNote[]): JournalRecord {
  const result = notes.map((each) => ({ ...each, score: 0.5 }))
  return { effect: `recall/policy/${node}`, request: 'r', result: result as never }
}

/** A run of as many episodes, each with the journal that is given. */
function runsOf(
  count: number,
  journal: (index: number) => JournalRecord[],
  shape: (index: number) => { starts?: number; nodes?: number } = () => ({}),
) {
  const read: string[] = []
  const atOnce = { now: 0, most: 0 }
  const episodes = Array.from({ length: count }, (_, index) => {
    const { starts = 1, nodes = 10 } = shape(index)
    return { id: episodeId(index), index, task: `t${index}`, starts, result: { nodes } } as Episode
  })
  const runs = {
    episodes: async (_run: string, { limit, after }: { limit: number; after?: string | undefined }) => {
      const start = after === undefined ? 0 : episodes.findIndex(({ id }) => id === after) + 1
      return toList(episodes.slice(start, start + limit), start + limit < episodes.length)
    },
    journal: async (_run: string, id: string) => {
      read.push(id)
      atOnce.now += 1
      atOnce.most = Math.max(atOnce.most, atOnce.now)
      await Promise.resolve()
      atOnce.now -= 1
      return journal(Number(id.slice(3)))
    },
  }
  return { runs, read, atOnce }
}

const still = () => 0

test('uses are counted by note, with the first twenty places', async () => {
  const [one, two, never] = [note(0, 'one'), note(1, 'two'), note(2, 'never')] as const
  const { runs } = runsOf(25, (index) => [
    open(),
    recall(0, [one]),
    recall(index + 1, index < 2 ? [two, one] : []),
  ])
  const { episodes, uses } = await countNoteUses(runs, 'run', [one, two, never], still)
  expect(episodes).toEqual({ total: 25, read: 25 })
  expect(uses.map(({ note, count, places }) => [note, count, places.length])).toEqual([
    [one.id, 27, 20],
    [two.id, 2, 2],
  ])
  expect(uses[1]?.places).toEqual([
    { episode: 'ep-0000000', task: 't0', node: 1 },
    { episode: 'ep-0000001', task: 't1', node: 2 },
  ])
})

test('a note of another memory with the same id is another note', async () => {
  const { runs } = runsOf(1, () => [open(), recall(0, [note(0, 'ours'), note(0, 'theirs')])])
  const { uses } = await countNoteUses(runs, 'run', [note(0, 'ours')], still)
  expect(uses).toMatchObject([{ count: 1 }])
})

test('of a large run a sample is read, the same each time, of the episodes that have begun', async () => {
  const play = () =>
    runsOf(
      2600,
      () => [open()],
      (index) => ({ starts: index < 1300 ? 1 : 0 }),
    )
  const [first, second] = [play(), play()]
  const { episodes } = await countNoteUses(first.runs, 'run', [], still)
  await countNoteUses(second.runs, 'run', [], still)
  expect(episodes).toEqual({ total: 1300, read: 500 })
  expect(new Set(first.read).size).toBe(500)
  expect(second.read).toEqual(first.read)
  expect(first.read.every((id) => id < episodeId(1300))).toBe(true)
})

test('when the time is over a sample has been read, and the answer says how many', async () => {
  let now = 0
  const { runs, read } = runsOf(100, () => {
    now += 1000
    return [open(), recall(0, [note(0, 'one')])]
  })
  const { episodes, uses } = await countNoteUses(runs, 'run', [note(0, 'one')], () => now)
  expect(episodes).toEqual({ total: 100, read: 16 })
  expect(uses).toMatchObject([{ count: 16 }])
  expect(uses[0]?.places.map(({ episode }) => episode)).toEqual(read.toSorted())
  // Not the first of the run: those may be another kind of task.
  expect(Math.max(...read.map((id) => Number(id.slice(3))))).toBeGreaterThan(50)
})

test.each([
  { nodes: 10, most: 16 },
  { nodes: 4000, most: 2 },
  { nodes: 30_000, most: 1 },
])('journals of trees of $nodes nodes are read $most at a time', async ({ most, nodes }) => {
  const { runs, read, atOnce } = runsOf(
    40,
    () => [open()],
    () => ({ nodes }),
  )
  await countNoteUses(runs, 'run', [], still)
  expect(new Set(read).size).toBe(40)
  expect(atOnce.most).toBe(most)
})
