import type { JsonObject } from '../core/contracts/json.ts'
import type { PureCore } from './environment.ts'

export interface BenchedEpisode {
  readonly core: PureCore
  readonly task: string
  /**
   * @param step steps taken since the reset
   * @returns null at the end of the episode
   */
  action(state: JsonObject, step: number): string | null
}

export interface BenchedLoad {
  readonly what: string
  readonly aim: string
  readonly load: () => void
  readonly least: () => void
  readonly leastIs: string
}

/**
 * Steps of a pure environment that `npm run bench -- environment-steps` times. A room exports a list of these from
 * `bench.ts`.
 */
export interface StepBench {
  readonly what: string
  readonly aim: string
  readonly episodes: readonly BenchedEpisode[]
  readonly loads?: readonly BenchedLoad[]
}
