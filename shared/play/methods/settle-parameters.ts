import type { Json, JsonObject } from '../../core/contracts/json.ts'
import type { Horizon, ResolvedDefaults } from '../../core/contracts/resolved-defaults.ts'
import type { EnvironmentFacts, EnvironmentTask } from '../../environments/environment.ts'
import type { Method } from './method.ts'
import { parseMethodParameters } from './methods.ts'

export interface PlayedTasks {
  environment: Pick<EnvironmentFacts, 'id' | 'default_max_steps'>
  tasks: readonly Pick<EnvironmentTask, 'max_steps'>[]
}

export interface SettledParameters {
  parameters: JsonObject
  resolved: ResolvedDefaults
}

/**
 * Fills in a request's defaults. The horizon is the same for every method: the longest trajectory that the
 * environment or the task states, unless the request names another. A run records it as a parameter, so that it keeps
 * it when defaults change.
 *
 * @param given - the parameters as requested
 * @throws EspalierError as {@link parseMethodParameters}
 */
export function settleParameters(method: Method, given: JsonObject, played: PlayedTasks): SettledParameters {
  const open = parseMethodParameters(method, given)
  const { environment, tasks } = played
  const { name, beyond } = method.horizon(open)
  const isByTask = tasks.some(({ max_steps }) => max_steps !== undefined)
  const isFixed = typeof open[name] === 'number'
  const settled = isFixed
    ? {}
    : settledHorizon(name, isByTask ? null : environment.default_max_steps - beyond)
  const parameters = { ...settled, ...withoutNull(open, name) }
  const lengths = isFixed
    ? [(open[name] as number) + beyond]
    : [...new Set(tasks.map(({ max_steps }) => max_steps ?? environment.default_max_steps))]
  const horizon: Horizon = {
    parameter: name,
    least: Math.min(...lengths),
    most: Math.max(...lengths),
    from: isFixed ? (given[name] === undefined ? 'method' : 'request') : isByTask ? 'task' : 'environment',
  }
  return { parameters, resolved: { horizon, parameters: derived(method, parameters, environment.id) } }
}

export function settleAgain(
  method: Method,
  { resolved, environment }: { resolved: ResolvedDefaults; environment: string },
  parameters: JsonObject,
  changed: JsonObject,
): ResolvedDefaults {
  const { name, beyond } = method.horizon(parameters)
  const most = changed[name]
  const horizon: Horizon =
    typeof most === 'number'
      ? { parameter: name, least: most + beyond, most: most + beyond, from: 'request' }
      : resolved.horizon
  return { horizon, parameters: derived(method, parameters, environment) }
}

/** If each task has its own length, `max_steps` is omitted and `max_depth` is null: older runs have neither. */
function settledHorizon(name: string, value: number | null): JsonObject {
  if (value !== null) return { [name]: Math.max(0, value) }
  return name === 'max_depth' ? { max_depth: null } : {}
}

function withoutNull(parameters: JsonObject, name: string): JsonObject {
  const { [name]: value, ...others } = parameters
  return value === undefined || value === null ? others : parameters
}

function derived(method: Method, parameters: JsonObject, environment: string): JsonObject {
  const open = Object.entries(method.derived?.(parameters, environment) ?? {})
  return Object.fromEntries(
    open.filter(
      (entry): entry is [string, Json] => entry[1] !== undefined && parameters[entry[0]] === undefined,
    ),
  )
}
