import type { UsedNote } from '../contracts/node-detail.ts'
import { runOfMemory } from '../engine/memories/learned-id.ts'
import type { MemoryReader } from '../engine/memories/memory-reader.ts'
import { noteName } from './note-name.ts'
import type { FoundNote } from './read-notes.ts'

/** The run that was shown notes; `memoryFrom` is what it says of the memory that it reads beside its own. */
export interface ShownRun {
  run: string
  memoryFrom: unknown
}

/** Notes as they were shown, each with the run that wrote it. */
export async function usedNotes(
  found: readonly FoundNote[],
  { memoryFrom, run }: ShownRun,
  reader: Pick<MemoryReader, 'notesOf'>,
): Promise<UsedNote[]> {
  const earlier = typeof memoryFrom === 'string' && found.length > 0 ? runOfMemory(memoryFrom) : null
  const theirs = new Set(
    earlier === null ? [] : (await reader.notesOf(earlier, { before: null })).map(noteName),
  )
  return found.map((shown) => {
    const { episode, id, note, score, side, task } = shown
    const writer = earlier !== null && theirs.has(noteName(shown)) ? earlier : run
    return { id, side, run: writer, episode, task, note, similarity: score ?? null }
  })
}
