import type { JsonObject } from '../../contracts/json.ts'
import type { WrongField } from '../check-result.ts'
import type { EnvironmentFacts, StepResult, Watched } from '../environment.ts'

/** The environment that a process is to play. */
export interface ModuleStart {
  /** The module's absolute path; `id` selects one of its environments. */
  file: string
  id: string
  pack: { digest: string; name: string; files: readonly string[] } | null
  options: JsonObject | null
  bounds: Pick<EnvironmentFacts, 'reward_range' | 'max_observation_bytes'>
}

/** A question of the process to its parent: which environment to play, or a file of the data pack. */
export type ModuleQuestion = { ask: 'start' } | { ask: 'file'; path: string }

/** A call of a task's rules. States are bytes of `v8.serialize`. */
export type ModuleRequest = { task: string } & (
  | { op: 'reset'; seed: number }
  | { op: 'step'; state: Uint8Array; action: string; watch: boolean }
  | { op: 'actions'; state: Uint8Array; watch: boolean }
)

export type ModuleStep = Omit<StepResult<JsonObject>, 'state'> & { state: Uint8Array; hash: string } & Watched
export type ModuleActions = { actions: readonly string[] | null } & Watched
export type ModuleAnswer = ModuleStep | ModuleActions | { wrong: WrongField }
