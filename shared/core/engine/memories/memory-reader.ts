import type { LearnedAction } from '../../contracts/library.ts'
import type { MemoryNote } from '../../contracts/memory.ts'

/** Reads the output of runs' episodes for others. It changes while a run continues, so reading it is an effect. */
export interface MemoryReader {
  /**
   * A run's notes in the order of its episodes, and within an episode as written.
   * @param options.before - only notes of episodes before this index, such as the place's `roundStart`; null: all
   */
  notesOf(run: string, options: { before: number | null }): Promise<MemoryNote[]>
  actionsOf(run: string): Promise<LearnedAction[]>
  /**
   * The output of one learning episode.
   * @throws EspalierError `invalid_state` if it has not ended, or ended without output, naming it and its error
   */
  learned(run: string, index: number): Promise<{ notes: MemoryNote[]; actions: LearnedAction[] }>
}
