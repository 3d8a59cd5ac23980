import type { Attempt } from './attempt.ts'

/** Opens attempts of one tenant by what names them. */
export interface Attempts {
  /**
   * The attempt as it stands, its tree not yet read.
   *
   * @throws EspalierError `not_found` where the source or its episode is unknown, `invalid_state` where the episode has not
   * ended or ended without a verdict (`errored`, `cancelled`)
   */
  open(source: string, episode: string): Promise<Attempt>
}
