import { idleParameters } from '../../../shared/core/contracts/idle-parameters.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'

export function findIdle(parameters: JsonObject): string[] {
  return idleParameters(parameters).map(({ name }) => name)
}
