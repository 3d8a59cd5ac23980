import type { EnvironmentTask } from '../environment.ts'
import type { PlacingVerb } from './household/domain-text.ts'

/** A game as it is listed, without having been read. */
export interface AlfworldTask extends EnvironmentTask {
  /** How putting something down is written in this game. */
  readonly placing: PlacingVerb
}
