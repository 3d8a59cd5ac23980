import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type {
  EndpointConfiguration,
  samplingFieldSchema,
} from '../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import {
  type ModelChoice,
  type RoleChoice,
  simulatedAnswerTokens,
  usualPromptTokens,
} from '../../core/contracts/model-choice.ts'
import { addOptions, pricedFields } from '../../core/contracts/request-options.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import { familyOf } from './model-family.ts'

/** Reasoning models spend their thoughts from the same allowance as their answer. */
const usualAnswerTokens = 4096

/** Answers' share of a served model's context, unless a run says otherwise: prompts get the other three quarters. */
const answerPart = 4

export function defaultAnswerTokens(endpoint: EndpointConfiguration): number {
  if (endpoint.kind === 'simulated') return simulatedAnswerTokens
  if (endpoint.kind !== 'served' || endpoint.context === null) return usualAnswerTokens
  return Math.max(1, Math.min(usualAnswerTokens, Math.floor(endpoint.context / answerPart)))
}

export type SamplingField = z.infer<typeof samplingFieldSchema>

const bothFields: readonly SamplingField[] = ['temperature', 'top_p']

export function sentSampling(
  endpoint: EndpointConfiguration,
  choice: Pick<ModelChoice, 'id' | 'reasoning_effort'>,
): readonly SamplingField[] {
  if (endpoint.kind === 'simulated') return bothFields
  // The newest version of Anthropic's API refuses both.
  const sampling = endpoint.sampling ?? (endpoint.kind !== 'anthropic' && familyOf(choice).samples)
  if (typeof sampling === 'string') return [sampling]
  if (typeof sampling === 'object') return bothFields.filter((field) => sampling.includes(field))
  return sampling ? bothFields : []
}

export function defaultPromptTokens(endpoint: EndpointConfiguration, max_tokens: number): number {
  if (endpoint.kind !== 'served' || endpoint.context === null) return usualPromptTokens
  return Math.max(1, Math.min(usualPromptTokens, endpoint.context - max_tokens))
}

type Models = Pick<RunRequest, 'model' | 'roles'>
type FindEndpoint = (endpoint: string, param: string) => EndpointConfiguration

/**
 * Fills in the maximum answer and prompt of each model of a request, and its endpoint's options, so that a run records
 * them. A role takes
 * `max_tokens` and `max_prompt_tokens` from `model` if that states them. If neither does, each has the default of its
 * own endpoint.
 *
 * @param find - an endpoint's configuration by its name and place in the request
 * @throws EspalierError `invalid_request` for an option that changes the price of calls
 */
export function completeModels<Request extends Models>(request: Request, find: FindEndpoint): Request {
  const { model, roles } = request
  const answers = completeAnswers({ model, roles }, find)
  return { ...request, ...completeOptions(completePrompts(answers, find), find) }
}

function completeAnswers(request: Models, find: FindEndpoint): Models {
  const { model, roles } = request
  if (model.max_tokens !== undefined) return request
  const usual = defaultAnswerTokens(find(model.endpoint, 'model.endpoint'))
  const completed = Object.entries(roles).map(([role, choice]): [string, RoleChoice] => {
    if (choice.max_tokens !== undefined || choice.endpoint === undefined) return [role, choice]
    const own = defaultAnswerTokens(find(choice.endpoint, `roles.${role}.endpoint`))
    return [role, own === usual ? choice : { ...choice, max_tokens: own }]
  })
  return { model: { ...model, max_tokens: usual }, roles: Object.fromEntries(completed) }
}

function completePrompts(request: Models, find: FindEndpoint): Models {
  const { model, roles } = request
  if (model.max_prompt_tokens !== undefined) return request
  const { max_tokens = usualAnswerTokens } = model
  const usual = defaultPromptTokens(find(model.endpoint, 'model.endpoint'), max_tokens)
  const completed = Object.entries(roles).map(([role, choice]): [string, RoleChoice] => {
    if (choice.max_prompt_tokens !== undefined || role === 'embedding') return [role, choice]
    const endpoint = find(choice.endpoint ?? model.endpoint, `roles.${role}.endpoint`)
    const own = defaultPromptTokens(endpoint, choice.max_tokens ?? max_tokens)
    return [role, own === usual ? choice : { ...choice, max_prompt_tokens: own }]
  })
  return { model: { ...model, max_prompt_tokens: usual }, roles: Object.fromEntries(completed) }
}

function completeOptions({ model, roles }: Models, find: FindEndpoint): Models {
  const complete = (name: string, param: string, request: JsonObject | undefined) => {
    const endpoint = find(name, `${param}.endpoint`)
    const usual = endpoint.kind === 'simulated' ? undefined : endpoint.request
    checkPriced(request, usual, { name, param })
    const options = addOptions(request ?? {}, usual)
    return Object.keys(options).length > 0 && { request: options }
  }
  const completed = Object.entries(roles).map(([role, choice]): [string, RoleChoice] => {
    const { endpoint, id, request } = choice
    const isOwn = endpoint !== undefined || id !== undefined || request !== undefined
    if (!isOwn || role === 'embedding') return [role, choice]
    return [role, { ...choice, ...complete(endpoint ?? model.endpoint, `roles.${role}`, request) }]
  })
  return {
    model: { ...model, ...complete(model.endpoint, 'model', model.request) },
    roles: Object.fromEntries(completed),
  }
}

// The recorded request of an earlier run repeats the options of its endpoint, so equal ones pass.
function checkPriced(
  request: JsonObject = {},
  usual: JsonObject = {},
  { name, param }: { name: string; param: string },
): void {
  const field = pricedFields.find(
    (each) => Object.hasOwn(request, each) && !isDeepStrictEqual(request[each], usual[each]),
  )
  if (field === undefined) return
  throw new EspalierError(
    'invalid_request',
    `"${field}" can change the price of calls, so a run cannot set it. Leave it out, or set it in \`request\` of the endpoint "${name}", with its price.`,
    { param: `${param}.request.${field}` },
  )
}

/**
 * Refuses a temperature or top_p that would not be sent: the run would record a setting that the model never got.
 *
 * @param param - the path of the choice in the request
 * @throws EspalierError `invalid_request`
 */
export function checkSampling(endpoint: EndpointConfiguration, choice: ModelChoice, param: string): void {
  const sent = sentSampling(endpoint, choice)
  const field = bothFields.find((each) => choice[each] !== 1 && !sent.includes(each))
  if (field === undefined) return
  const [other] = sent
  const fault =
    other === undefined
      ? `takes only its own ${field}`
      : `is sent ${other} alone ("sampling" of its endpoint)`
  throw new EspalierError(
    'invalid_request',
    `The model "${choice.id}" of "${choice.endpoint}" ${fault}, so ${choice[field]} would not be sent. Set ${param}.${field} to 1, choose another model, or, if this one takes it, state "sampling": true or "${field}" for the endpoint.`,
    { param: `${param}.${field}` },
  )
}
