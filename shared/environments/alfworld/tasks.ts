import type { EnvironmentTask } from '../environment.ts'
import type { PlacingVerb } from './household/domain-text.ts'

export interface AlfworldTask extends EnvironmentTask {
  readonly placing: PlacingVerb
}
