import type { List, ListQuery } from '../contracts/list.ts'
import type { ImportedFacts, TrajectoryImport } from '../contracts/trajectory-import.ts'
import type { Tree } from '../contracts/tree.ts'
import type { ThingFilter } from '../engine/labels/find-things.ts'

/** What one tenant has imported, as datasets read it. */
export interface ImportedTrajectories {
  /** @throws EspalierError `not_found` */
  get(id: string): Promise<TrajectoryImport>
  /** Newest first, archived ones left out unless they are asked for. */
  list(query: ListQuery & ThingFilter): Promise<List<TrajectoryImport>>
  /**
   * What is known of each trajectory without its tree, in the order of the rows. `part` says where the tree lies.
   *
   * @param from - an `episode`: what was stored before it is not read; by default all are given
   * @throws EspalierError `not_found`; `invalid_state` as long as rows are still to come
   */
  facts(id: string, from?: string): AsyncIterable<ImportedFacts>
  /**
   * The trees of one stored part, by `episode`.
   *
   * @throws EspalierError `not_found`
   */
  trees(id: string, part: number): Promise<ReadonlyMap<string, Tree>>
}
