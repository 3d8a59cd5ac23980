import type { EnvironmentGuide } from '../../environments/environment.ts'

/** What a model is told before it plays: how the environment works, and how the method wants its answers. */
export interface Prompt {
  instructions: string
  example: EnvironmentGuide['example']
}
