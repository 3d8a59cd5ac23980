import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import { listNotes, type NoteQuery } from '../../../shared/core/engine/memories/list-notes.ts'
import { toNote } from '../../support/open-learning-engine.ts'

const embedding = { model: 'm', vector: [1, 2] }
const note = fc.record({
  side: fc.constantFrom('policy' as const, 'value' as const, 'task' as const),
  note: fc.constantFrom('Look first.', 'COUNT all of it.', 'Ask.'),
  surprise: fc.option(fc.constantFrom(0, 0.25, 0.5, 1)),
})
const notes = fc
  .array(note, { maxLength: 30 })
  .map((drawn) =>
    drawn.map((each, index): MemoryNote => ({ ...toNote({ index, task: 't' }, 0), embedding, ...each })),
  )
const filters = fc.record(
  {
    side: fc.constantFrom('policy' as const, 'value' as const),
    text: fc.constantFrom('count', 'LOOK', 'nowhere'),
    sort: fc.constantFrom('written' as const, 'surprise' as const),
    embeddings: fc.constantFrom('true' as const, 'false' as const),
  },
  { requiredKeys: [] },
)

function reader(held: readonly MemoryNote[]) {
  return async function* () {
    yield* held
  }
}

async function readAll(held: readonly MemoryNote[], query: NoteQuery): Promise<MemoryNote[]> {
  const all: MemoryNote[] = []
  for (let after: string | undefined, more = true; more; ) {
    const page = await listNotes(reader(held), { ...query, ...(after !== undefined && { after }) })
    expect(page.data.length).toBeLessThanOrEqual(query.limit)
    all.push(...page.data)
    more = page.has_more
    after = page.last_id ?? undefined
  }
  return all
}

test('page by page come all notes that the filters let through, in their order, each once', async () => {
  await fc.assert(
    fc.asyncProperty(notes, filters, fc.integer({ min: 1, max: 7 }), async (held, query, limit) => {
      const listed = await readAll(held, { ...query, limit })
      const { embeddings, side, sort, text } = query
      const passing = held.filter(
        (each) =>
          (side === undefined || each.side === side) &&
          (text === undefined || each.note.toLowerCase().includes(text.toLowerCase())),
      )
      const surprise = ({ surprise }: MemoryNote) => surprise ?? -1
      const ordered = sort === 'surprise' ? passing.toSorted((a, b) => surprise(b) - surprise(a)) : passing
      expect(listed.map(({ id }) => id)).toEqual(ordered.map(({ id }) => id))
      for (const each of listed) expect(each.embedding).toEqual(embeddings === 'false' ? null : embedding)
    }),
  )
})

test('notes are found by their ids, and a page goes on behind one that the filter leaves out', async () => {
  const held = [0, 1, 2, 3].map((index) => toNote({ index, task: 't' }, 0))
  const ids = [held[3]?.id, held[1]?.id, 'none'].join(',')
  expect((await readAll(held, { limit: 9, ids })).map(({ id }) => id)).toEqual([held[1]?.id, held[3]?.id])
  const behind = await listNotes(reader(held), { limit: 9, ids, after: String(held[2]?.id) })
  expect(behind.data.map(({ id }) => id)).toEqual([held[3]?.id])
})

test('no page begins behind a note that is not there', async () => {
  await expect(listNotes(reader([]), { limit: 1, after: 'gone' })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'after',
  })
})
