import type { JsonObject } from '../../core/contracts/json.ts'
import type { WrongField } from '../check-result.ts'
import type { EnvironmentFacts, StepResult, Watched } from '../environment.ts'

export interface ModuleStart {
  file: string
  id: string
  pack: { digest: string; name: string; files: readonly string[] } | null
  options: JsonObject | null
  bounds: Pick<EnvironmentFacts, 'reward_range' | 'max_observation_bytes'>
}

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
