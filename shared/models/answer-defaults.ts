import type { EndpointConfiguration } from '../contracts/endpoint-configuration.ts'
import { EspalierError } from '../contracts/errors.ts'
import { type ModelChoice, type RoleChoice, simulatedAnswerTokens } from '../contracts/model-choice.ts'
import type { RunRequest } from '../contracts/run.ts'
import { familyOf } from './model-family.ts'

/** Models that reason spend their thoughts from the same allowance as their answer. */
const usualAnswerTokens = 4096

/** Which part of a served model's context its answers have where a run does not say: the rest is for prompts. */
const answerPart = 4

/** The longest answer asked for of an endpoint where a run does not say, in tokens. */
export function defaultAnswerTokens(endpoint: EndpointConfiguration): number {
  if (endpoint.kind === 'simulated') return simulatedAnswerTokens
  if (endpoint.kind !== 'served' || endpoint.context === null) return usualAnswerTokens
  return Math.max(1, Math.min(usualAnswerTokens, Math.floor(endpoint.context / answerPart)))
}

/** Whether temperature and top_p are sent with calls to a model: as its endpoint says, or else as its family takes them. */
export function sendsSampling(
  endpoint: EndpointConfiguration,
  choice: Pick<ModelChoice, 'id' | 'reasoning_effort'>,
): boolean {
  if (endpoint.kind === 'simulated') return true
  return endpoint.sampling ?? familyOf(choice).samples
}

/**
 * The models of a request with the longest answer of each filled in, so that a run records it. A role takes `max_tokens`
 * from `model` where that says it; where neither says it, each has the default of its own endpoint.
 *
 * @param find - an endpoint's configuration by its name and place in the request
 */
export function completeModels<Request extends Pick<RunRequest, 'model' | 'roles'>>(
  request: Request,
  find: (endpoint: string, param: string) => EndpointConfiguration,
): Request {
  const { model, roles } = request
  if (model.max_tokens !== undefined) return request
  const usual = defaultAnswerTokens(find(model.endpoint, 'model.endpoint'))
  const completed = Object.entries(roles).map(([role, choice]): [string, RoleChoice] => {
    if (choice.max_tokens !== undefined || choice.endpoint === undefined) return [role, choice]
    const own = defaultAnswerTokens(find(choice.endpoint, `roles.${role}.endpoint`))
    return [role, own === usual ? choice : { ...choice, max_tokens: own }]
  })
  return { ...request, model: { ...model, max_tokens: usual }, roles: Object.fromEntries(completed) }
}

/**
 * Refuses a temperature or top_p that would not be sent: the run would record what the model was never asked.
 *
 * @param param - where the choice stands in the request
 * @throws EspalierError `invalid_request`
 */
export function checkSampling(endpoint: EndpointConfiguration, choice: ModelChoice, param: string): void {
  if (sendsSampling(endpoint, choice)) return
  const field = choice.temperature !== 1 ? 'temperature' : choice.top_p !== 1 ? 'top_p' : null
  if (field === null) return
  throw new EspalierError(
    'invalid_request',
    `The model "${choice.id}" of "${choice.endpoint}" takes only its own ${field}, so ${choice[field]} would not be sent. Set ${param}.${field} to 1, choose another model, or, where this one takes it, state "sampling": true for the endpoint.`,
    { param: `${param}.${field}` },
  )
}
