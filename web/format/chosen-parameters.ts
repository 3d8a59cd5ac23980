import type { EnvironmentInfo, MethodInfo } from '../../shared/contracts/catalogue.ts'
import type { JsonObject } from '../../shared/contracts/json.ts'
import { withoutDefaults } from '../components/schema-fields/settle-value.ts'

/**
 * Which parameters of a run's method are not as they would be by default, so that they say what somebody chose. Without the method's schema all
 * of it.
 */
export function chosenParameters(
  parameters: JsonObject,
  method: Pick<MethodInfo, 'parameters'> | undefined,
  environment: Pick<EnvironmentInfo, 'default_max_steps'> | undefined,
): JsonObject {
  const chosen = method === undefined ? parameters : withoutDefaults(method.parameters, parameters)
  if (chosen.max_steps === undefined || chosen.max_steps !== environment?.default_max_steps) return chosen
  const { max_steps: _, ...rest } = chosen
  return rest
}

/** Parameters in one line: `value debate, iterations 4`. */
export function describeParameters(parameters: JsonObject): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
