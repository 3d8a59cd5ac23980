import type { Attempt } from './attempt.ts'

export interface Attempts {
  /**
   * The current attempt, without reading its tree.
   *
   * @throws EspalierError `not_found` if the source or its episode is unknown, `invalid_state` if the episode has not
   * ended or ended without a verdict (`errored`, `cancelled`)
   */
  open(source: string, episode: string): Promise<Attempt>
}
