import type { List, ListQuery } from '../../core/contracts/list.ts'
import type { ImportedFacts, TrajectoryImport } from '../../core/contracts/trajectory-import.ts'
import type { Tree } from '../../core/contracts/tree.ts'
import type { LabelledEntryFilter } from '../../core/engine/labels/find-labelled-entries.ts'

export interface ImportedTrajectories {
  /** @throws EspalierError `not_found` */
  get(id: string): Promise<TrajectoryImport>
  list(query: ListQuery & LabelledEntryFilter): Promise<List<TrajectoryImport>>
  /**
   * The recorded properties of each trajectory without its tree, in the order of the rows. `part` names the stored
   * part with the tree.
   *
   * @param from - an `episode`: skips those stored before it. @default all
   * @throws EspalierError `not_found`; `invalid_state` while rows are still to come
   */
  facts(id: string, from?: string): AsyncIterable<ImportedFacts>
  /**
   * The trees of one stored part, by `episode`.
   *
   * @throws EspalierError `not_found`
   */
  trees(id: string, part: number): Promise<ReadonlyMap<string, Tree>>
}
