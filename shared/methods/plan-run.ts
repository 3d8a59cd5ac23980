import { EspalierError } from '../contracts/errors.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { ModelChoice } from '../contracts/model-choice.ts'
import type { RunRequest, TaskSelection } from '../contracts/run.ts'
import type { RunPlanner } from '../engine/runs/run-planner.ts'
import type { PureEnvironment } from '../environments/environment.ts'
import { describeMethod, findMethod, parseMethodParameters } from './methods.ts'
import { findPrompt } from './prompts/prompts.ts'

export interface PlannerOptions {
  findEnvironment(id: string): PureEnvironment
  selectTasks(environment: PureEnvironment, selection: TaskSelection): readonly { id: string }[]
  /**
   * Whether the endpoint states a price for the model.
   *
   * @throws EspalierError `unknown_endpoint`, naming `param`
   */
  isPriced(choice: ModelChoice, param: string): boolean
}

/** Checks run requests against the environments, methods and endpoints that there are. */
export function createRunPlanner({ findEnvironment, selectTasks, isPriced }: PlannerOptions): RunPlanner {
  const choices = ({ model, roles }: RunRequest): [string, ModelChoice][] => [
    ['model', model],
    ...Object.entries(roles).map(([role, choice]): [string, ModelChoice] => [`roles.${role}`, choice]),
  ]
  const checkLimits = (request: RunRequest): void => {
    const param = request.limits.cost !== undefined ? 'limits.cost' : 'episode_limits.cost'
    if (request.limits.cost === undefined && request.episode_limits.cost === undefined) return
    for (const [field, choice] of choices(request)) {
      if (isPriced(choice, `${field}.endpoint`)) continue
      throw new EspalierError(
        'unpriced_endpoint',
        `${param} needs prices, and the endpoint "${choice.endpoint}" states none for "${choice.id}". Add them to its configuration, or limit tokens instead.`,
        { param },
      )
    }
  }
  return {
    plan(request) {
      const environment = findEnvironment(request.environment)
      const { id, ...given } = request.method
      const method = findMethod(id)
      findPrompt(id, environment.id)
      const parameters = parseMethodParameters(method, given as JsonObject)
      const tasks = selectTasks(environment, request.tasks).map((task) => task.id)
      const priced = choices(request).every(([field, choice]) => isPriced(choice, `${field}.endpoint`))
      checkLimits(request)
      return { request: { ...request, method: { id, ...parameters } }, tasks, priced }
    },
    extend(request, { method: more = {}, limits, episode_limits }) {
      const { id, ...current } = request.method
      const method = findMethod(id)
      for (const name of Object.keys(more)) {
        if (method.extendable.includes(name)) continue
        throw new EspalierError(
          name in ((describeMethod(method).parameters.properties ?? {}) as object)
            ? 'invalid_request'
            : 'unknown_field',
          `"${name}" cannot be changed by extending a run of "${id}": only ${method.extendable.join(', ')} can, because the rest of the search would be another one. Start a new run instead.`,
          { param: `method.${name}` },
        )
      }
      const parameters = parseMethodParameters(method, { ...current, ...more } as JsonObject)
      const extended = {
        ...request,
        method: { id, ...parameters },
        limits: { ...request.limits, ...limits },
        episode_limits: { ...request.episode_limits, ...episode_limits },
      }
      checkLimits(extended)
      return extended
    },
    checkLimits,
  }
}
