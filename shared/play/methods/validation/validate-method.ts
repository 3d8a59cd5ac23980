import type { MethodModule } from '../../../core/contracts/catalogue.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { JsonObject } from '../../../core/contracts/json.ts'
import type { MethodLawId, MethodValidation } from '../../../core/contracts/method-validation.ts'
import { type Environment, type EnvironmentTask, isHosted } from '../../../environments/environment.ts'
import type { EndpointModels } from '../../models/endpoint-models.ts'
import type { Method } from '../method.ts'
import { openMethods, schemaOf } from '../methods.ts'
import { planLearning } from '../plan-learning.ts'
import { settleParameters } from '../settle-parameters.ts'
import { type CheckedCase, checkCase } from './check-case.ts'
import { failed, type LawOutcomes, mergeOutcomes, skipped } from './laws.ts'
import type { LawCase, LawParts } from './play-case.ts'

export interface ValidatedMethod {
  method: Method
  module: (MethodModule & { files: readonly string[] }) | null
  parameters: JsonObject
  seed: number
  tasks: number
  steps: number
  cuts: number
}

export interface EnvironmentLaws {
  environment: string
  cases: CheckedCase[]
}

/**
 * Checks the laws on a method in one environment, with models that need no network. The method's code runs in this
 * process: an endless loop stops it.
 *
 * @param parts.models return equal answers to equal requests, such as the simulated ones
 * @throws EspalierError `invalid_request` for parameters that the method does not accept, or an environment that runs
 * elsewhere
 */
export async function checkIn(
  id: string,
  validated: ValidatedMethod,
  parts: Omit<LawParts, 'methods'>,
  onLaw: (law: MethodLawId, task: string) => void = () => undefined,
): Promise<EnvironmentLaws> {
  const { cuts, method, module } = validated
  const { environment } = await parts.environments.open(id)
  if (isHosted(environment)) {
    throw new EspalierError(
      'invalid_request',
      `${id} runs on hosts; methods are validated in environments that run in this process.`,
      {
        param: 'environment',
      },
    )
  }
  const methods = openMethods(module === null ? [] : [{ id: method.id, module, method }])
  const lawParts: LawParts = { ...parts, models: remembering(parts.models), methods }
  const cases: CheckedCase[] = []
  for (const { longest, parameters, played } of casesOf(environment, validated)) {
    cases.push(
      await checkCase({
        parts: lawParts,
        method,
        played,
        parameters,
        longest,
        files: module?.files ?? [],
        mostCuts: cuts,
        onLaw: (law) => onLaw(law, played.task),
      }),
    )
  }
  return { environment: id, cases }
}

export function endlessLaws(environment: string, reason: string): EnvironmentLaws {
  const at = { environment, task: null, effect: null }
  return { environment, cases: [{ outcomes: { ends: failed(reason, at) }, effects: 0, resumed: 0 }] }
}

export function reportLaws(
  { method, module, seed }: ValidatedMethod,
  checked: readonly EnvironmentLaws[],
): MethodValidation {
  const cases = checked.flatMap((each) => each.cases)
  const outcomes: LawOutcomes[] = cases.map((each) => each.outcomes)
  const found = mergeOutcomes(outcomes)
  const isOver = found.some(
    ({ id, status }) => status === 'failed' && ['ends', 'plays', 'waits', 'keys'].includes(id),
  )
  const why = 'No episode came to its end.'
  const total = (of: (each: CheckedCase) => number) => cases.reduce((sum, each) => sum + of(each), 0)
  return {
    object: 'method_validation',
    method: method.id,
    file: module?.file ?? null,
    digest: module?.digest ?? null,
    ok: found.every(({ status }) => status !== 'failed'),
    seed,
    environments: checked.map(({ environment }) => environment),
    episodes: cases.length,
    effects: total(({ effects }) => effects),
    resumed: total(({ resumed }) => resumed),
    laws: found.map((law) =>
      isOver && law.reason === 'It was not reached.' ? { ...law, ...skipped(why) } : law,
    ),
  }
}

function casesOf(
  environment: Environment,
  { method, parameters: given, seed, steps, tasks: most }: ValidatedMethod,
): { played: LawCase; parameters: JsonObject; longest: number }[] {
  const all = environment.tasks()
  const tested = all.filter(({ split }) => split === 'test')
  const tasks = (tested.length > 0 ? tested : all).slice(0, most)
  const caseOf = (task: EnvironmentTask, learn: { group: string; tasks: string[] } | null) => {
    const { parameters } = settleParameters(method, withHorizon(method, given, steps), {
      environment,
      tasks: [task],
    })
    const longest = task.max_steps ?? environment.default_max_steps
    const played: LawCase = {
      environment: environment.id,
      method: { id: method.id, ...parameters },
      seed,
      task: learn === null ? task.id : `learn:${learn.group}`,
      purpose: learn === null ? 'play' : 'learn',
      group: learn?.group ?? null,
      training: learn?.tasks ?? [],
    }
    return { played, parameters, longest }
  }
  const playing = tasks.map((task) => caseOf(task, null))
  const [first] = tasks
  const learning = playing[0] && method.sharing?.(playing[0].parameters)?.learning
  if (!learning || !method.learn || first === undefined) return playing
  const plans = planLearning(environment, [first], learning, { seed, epochs: 1 })
  return [...playing, ...plans.slice(0, 1).map((plan) => caseOf(first, plan))]
}

/** Shortens the horizon, so that the laws are checked in seconds, unless the parameters name one. */
function withHorizon(method: Method, given: JsonObject, steps: number): JsonObject {
  const defaults = schemaOf(method, given).safeParse(given)
  const { name } = method.horizon(defaults.success ? defaults.data : {})
  if (given[name] !== undefined) return given
  const short = { ...given, [name]: steps }
  return schemaOf(method, short).safeParse(short).success ? short : given
}

function remembering({ chat, embedding, scorer }: EndpointModels): EndpointModels {
  const known = new Map<string, Promise<unknown>>()
  function once<Answer>(asked: unknown, ask: () => Promise<Answer>): Promise<Answer> {
    const key = JSON.stringify(asked)
    const answer = (known.get(key) as Promise<Answer> | undefined) ?? ask()
    known.set(key, answer)
    return answer
  }
  return {
    chat: { complete: (request, options) => once(request, () => chat.complete(request, options)) },
    embedding: { embed: (request, options) => once(request, () => embedding.embed(request, options)) },
    scorer: { score: (request, options) => once(request, () => scorer.score(request, options)) },
  }
}
