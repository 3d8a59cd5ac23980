import type { LearnedAction } from '../../contracts/library.ts'
import type { MemoryNote } from '../../contracts/memory.ts'

/** What the episodes of runs have left for others. It changes as long as a run goes on, so reading it is an effect. */
export interface MemoryReader {
  /**
   * The notes of a run in the order of its episodes and, of one episode, as it wrote them.
   *
   * @param options.before - only those of episodes before this index, such as the place's `roundStart`; null: all
   */
  notesOf(run: string, options: { before: number | null }): Promise<MemoryNote[]>
  /** The actions that a run has learned, in the same order. */
  actionsOf(run: string): Promise<LearnedAction[]>
  /**
   * What one learning episode left.
   *
   * @throws EspalierError `invalid_state` where it has not ended, or ended so that it left nothing, naming it and its error
   */
  learned(run: string, index: number): Promise<{ notes: MemoryNote[]; actions: LearnedAction[] }>
}
