import type { JsonObject } from '../../../shared/contracts/json.ts'
import { idleParameters } from '../../../shared/methods/idle-parameters.ts'

/** The names of a method's parameters that change nothing beside the others. */
export function findIdle(parameters: JsonObject): string[] {
  return idleParameters(parameters).map(({ name }) => name)
}
