import type { EnvironmentInfo, MethodInfo } from '../../shared/core/contracts/catalogue.ts'
import type { Json, JsonObject } from '../../shared/core/contracts/json.ts'
import { readFields } from '../components/schema-fields/read-fields.ts'
import { withoutDefaults } from '../components/schema-fields/settle-value.ts'

export function chosenParameters(
  parameters: JsonObject,
  method: Pick<MethodInfo, 'parameters'> | undefined,
  environment: Pick<EnvironmentInfo, 'default_max_steps'> | undefined,
): JsonObject {
  const chosen = method === undefined ? parameters : withoutDefaults(method.parameters, parameters)
  const open = new Set(
    readFields(method?.parameters ?? {}, parameters).flatMap(({ name, fallback }) =>
      fallback === undefined ? [name] : [],
    ),
  )
  return Object.fromEntries(
    Object.entries(chosen).filter(
      ([name, value]) => !isUsualHorizon(name, value, { isOpen: open.has(name), environment }),
    ),
  )
}

function isUsualHorizon(
  name: string,
  value: Json,
  {
    isOpen,
    environment,
  }: {
    isOpen: boolean
    environment: Pick<EnvironmentInfo, 'default_max_steps'> | undefined
  },
): boolean {
  if (name === 'max_depth')
    return isOpen && (value === null || value === (environment?.default_max_steps ?? 0) - 1)
  return name === 'max_steps' && value === environment?.default_max_steps
}

export function describeParameters(parameters: JsonObject): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}
