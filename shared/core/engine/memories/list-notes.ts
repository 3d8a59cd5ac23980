import { EspalierError } from '../../contracts/errors.ts'
import { type List, type ListQuery, toList } from '../../contracts/list.ts'
import type { MemoryNote, NoteFilter } from '../../contracts/memory.ts'
import { FirstOf } from '../first-of.ts'

export type NoteQuery = ListQuery & NoteFilter

interface Placed {
  note: MemoryNote
  position: number
}

/**
 * One page of the notes that pass the filters. It streams them from the first and keeps only the page in memory: a
 * memory may hold any number of notes.
 * @param read - iterates all notes in the order they were written, from the start on each call
 * @throws EspalierError `invalid_request` for an `after` that no note has
 */
export async function listNotes(
  read: () => AsyncIterable<MemoryNote>,
  { after, limit, sort = 'written', embeddings, ...filters }: NoteQuery,
): Promise<List<MemoryNote>> {
  const compare = sort === 'surprise' ? bySurprise : byPosition
  const behind = after === undefined ? null : await find(read(), after)
  const passes = toFilter(filters)
  const first = new FirstOf<Placed>(limit + 1, compare)
  let kept = 0
  for await (const placed of placedOf(read())) {
    if (!passes(placed.note) || (behind !== null && compare(placed, behind) <= 0)) continue
    first.add(placed)
    kept += 1
    if (sort === 'written' && kept > limit) break
  }
  const page = first
    .values()
    .map(({ note }) => (embeddings === 'false' ? { ...note, embedding: null } : note))
  return toList(page.slice(0, limit), page.length > limit)
}

async function find(notes: AsyncIterable<MemoryNote>, id: string): Promise<Placed> {
  for await (const placed of placedOf(notes)) if (placed.note.id === id) return placed
  throw new EspalierError(
    'invalid_request',
    `No note has the id "${id}". Give the last_id of the page before, or leave "after" out.`,
    { param: 'after' },
  )
}

async function* placedOf(notes: AsyncIterable<MemoryNote>): AsyncGenerator<Placed> {
  let position = 0
  for await (const note of notes) {
    yield { note, position }
    position += 1
  }
}

function toFilter({
  ids,
  side,
  text,
}: Pick<NoteFilter, 'ids' | 'side' | 'text'>): (note: MemoryNote) => boolean {
  const wanted = ids === undefined ? null : new Set(ids.split(','))
  const sought = text?.toLowerCase()
  return (note) =>
    (wanted?.has(note.id) ?? true) &&
    (side === undefined || note.side === side) &&
    (sought === undefined || textsOf(note).some((each) => each.toLowerCase().includes(sought)))
}

function textsOf({ action, group, note, objective, observation, task }: MemoryNote): string[] {
  return [note, objective, action ?? '', task, group ?? '', observation]
}

function byPosition(one: Placed, other: Placed): number {
  return one.position - other.position
}

function bySurprise(one: Placed, other: Placed): number {
  const [left, right] = [one.note.surprise, other.note.surprise]
  if (left === right) return byPosition(one, other)
  return left === null ? 1 : right === null ? -1 : right - left
}
