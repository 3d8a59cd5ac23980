import { idleParameters } from '../../../shared/contracts/idle-parameters.ts'
import type { JsonObject } from '../../../shared/contracts/json.ts'

export function findIdle(parameters: JsonObject): string[] {
  return idleParameters(parameters).map(({ name }) => name)
}
