import type { MemoryNote } from '../../core/contracts/memory.ts'

/**
 * A name that identifies a note. Ids are unique in one memory only, and an episode may be shown notes of two, so the
 * name includes the note's text.
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
