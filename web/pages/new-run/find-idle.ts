import { idleParameters } from '../../../shared/contracts/idle-parameters.ts'
import type { JsonObject } from '../../../shared/contracts/json.ts'

/** The names of a method's parameters that have no effect beside the others. */
export function findIdle(parameters: JsonObject): string[] {
  return idleParameters(parameters).map(({ name }) => name)
}
