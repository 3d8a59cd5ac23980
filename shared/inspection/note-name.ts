import type { MemoryNote } from '../contracts/memory.ts'

/**
 * Tells a note from every other. Ids are unique in one memory, and an episode may be shown notes of two, so a note is known by what
 * it says, too.
 */
export function noteName({
  id,
  note,
  observation,
  side,
  task,
}: Pick<MemoryNote, 'id' | 'note' | 'observation' | 'side' | 'task'>): string {
  return JSON.stringify([id, side, task, note, observation])
}
