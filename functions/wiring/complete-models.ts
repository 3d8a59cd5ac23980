import { isDeepStrictEqual } from 'node:util'
import type { EndpointConfiguration } from '../../shared/core/contracts/endpoint-configuration.ts'
import { endpointShares } from '../../shared/core/contracts/endpoint-shares.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { CompleteModelChoice, ModelChoice } from '../../shared/core/contracts/model-choice.ts'
import type { RunRequest } from '../../shared/core/contracts/run.ts'
import { didYouMean, nearestName } from '../../shared/core/contracts/validation/nearest-name.ts'
import { namedChoices } from '../../shared/play/methods/model-calls.ts'
import { checkSampling, completeModels } from '../../shared/play/models/answer-defaults.ts'
import type { ModelPool } from '../../shared/play/models/model-pool.ts'
import { isTokenServer, tokenSourceOf } from '../../shared/play/models/tokens/token-source.ts'
import { unknownEndpoint } from './model-questions.ts'

/**
 * Fills in the settings that a request leaves to its endpoints, so that the run records them. Refuses settings that
 * their models do not accept.
 */
export function completeModelsWith(
  models: Pick<ModelPool, 'configuration' | 'list' | 'refresh'>,
): (request: RunRequest, tenant?: string) => Promise<RunRequest> {
  return async (request, tenant) => {
    await models.refresh()
    const names = models.list(tenant).map(({ id }) => id)
    const findOne = (endpoint: string, param: string) => {
      if (!names.includes(endpoint)) throw unknownEndpoint(endpoint, names, param)
      return models.configuration(endpoint)
    }
    const find = (named: string, param: string) => {
      const pool = endpointShares(named, param).map(({ endpoint }) => findOne(endpoint, param))
      return checkOptions(pool, named, param)
    }
    const completed = completeModels(request, find)
    for (const [param, choice] of namedChoices(completed)) {
      checkKey(models, choice, `${param}.endpoint`, tenant)
      const endpoint = findOne(choice.endpoint, `${param}.endpoint`)
      if (param !== 'roles.embedding') checkSampling(endpoint, choice, param)
      else checkEmbeddings(endpoint, choice, param)
      checkServed(endpoint, choice, param)
      checkSimulated(models, choice, param, tenant)
    }
    const pool = endpointShares(completed.model.endpoint).map(({ endpoint }) =>
      findOne(endpoint, 'model.endpoint'),
    )
    const recording = pool.reduce(completeRecord, completed)
    for (const endpoint of pool) completeRecord(recording, endpoint)
    return recording
  }
}

function checkOptions(
  pool: readonly EndpointConfiguration[],
  named: string,
  param: string,
): EndpointConfiguration {
  const [first, ...others] = pool as [EndpointConfiguration, ...EndpointConfiguration[]]
  const options = (endpoint: EndpointConfiguration) =>
    endpoint.kind === 'simulated' ? {} : (endpoint.request ?? {})
  if (others.every((endpoint) => isDeepStrictEqual(options(endpoint), options(first)))) return first
  throw new EspalierError(
    'invalid_request',
    `The endpoints of "${named}" add different fields to requests ("request" of their configurations), so their answers are not alike. Make these equal, or name endpoints with the same.`,
    { param },
  )
}

/** @throws EspalierError `invalid_request` if the model's endpoint gives no tokens and the run records them */
function completeRecord(request: RunRequest, endpoint: EndpointConfiguration): RunRequest {
  const { record } = request
  if (request.model.prompting === 'tokens') {
    checkTokenPrompts(request, endpoint)
    return { ...request, record: 'tokens' }
  }
  const isTrainable = endpoint.kind !== 'simulated' && endpoint.trainable === true
  if (record === undefined) return isTrainable ? { ...request, record: 'tokens' } : request
  const hasTokens = endpoint.kind !== 'simulated' && tokenSourceOf(endpoint) !== null
  if (record === 'text' || hasTokens) return request
  throw new EspalierError(
    'invalid_request',
    `The endpoint "${request.model.endpoint}" gives no tokens to record. Name an endpoint of a server that does, with "tokens" in its configuration, or leave "record" out.`,
    { param: 'record' },
  )
}

function checkEmbeddings(
  { kind }: EndpointConfiguration,
  { endpoint }: CompleteModelChoice,
  param: string,
): void {
  if (kind !== 'anthropic') return
  throw new EspalierError(
    'invalid_request',
    `The endpoint "${endpoint}" is of the kind anthropic, which serves no embeddings. Name another endpoint, or leave the role out: notes are then found by their words.`,
    { param: `${param}.endpoint` },
  )
}

function checkServed(
  endpoint: EndpointConfiguration,
  { endpoint: name, id, max_prompt_tokens, max_tokens }: CompleteModelChoice,
  param: string,
): void {
  if (endpoint.kind !== 'served') return
  const { context, model } = endpoint
  if (id !== model && id !== name) {
    throw new EspalierError(
      'invalid_request',
      `The endpoint "${name}" serves the registered model ${model} and no "${id}". Name that as the model.`,
      { param: `${param}.id` },
    )
  }
  if (context === null || param === 'roles.embedding') return
  const has = `The model has a context of ${context} tokens for prompt and answer together`
  if (max_tokens >= context) {
    throw new EspalierError(
      'invalid_request',
      `${has}, and an answer of ${max_tokens} leaves nothing for a prompt. Lower max_tokens.`,
      { param: `${param}.max_tokens` },
    )
  }
  if (max_prompt_tokens + max_tokens > context) {
    throw new EspalierError(
      'invalid_request',
      `${has}: beside an answer of ${max_tokens} a prompt has at most ${context - max_tokens}, not ${max_prompt_tokens}. Lower max_prompt_tokens, or leave it out.`,
      { param: `${param}.max_prompt_tokens` },
    )
  }
}

/** Letters: a name that differs more is a label. */
const typingSlip = 1

/** Refuses a misspelt model of a simulated endpoint. Any other name is a label that the endpoint answers under. */
function checkSimulated(
  models: Pick<ModelPool, 'list'>,
  { endpoint, id }: Pick<ModelChoice, 'endpoint' | 'id'>,
  param: string,
  tenant: string | undefined,
): void {
  const info = models.list(tenant).find((each) => each.id === endpoint)
  if (info?.kind !== 'simulated' || id === endpoint || info.models.includes(id)) return
  const meant = nearestName(id, [...info.models, endpoint], typingSlip)
  if (meant === null) return
  throw new EspalierError(
    'invalid_request',
    `The endpoint "${endpoint}" has no model "${id}". Did you mean "${meant}"?`,
    { param: `${param}.id` },
  )
}

/**
 * Refuses an endpoint without its key if the key would be on this machine. Keys in AWS are read when they are used.
 */
function checkKey(
  models: Pick<ModelPool, 'configuration' | 'list'>,
  { endpoint, id }: Pick<ModelChoice, 'endpoint' | 'id'>,
  param: string,
  tenant: string | undefined,
): void {
  const configuration = models.configuration(endpoint)
  const isElsewhere =
    configuration.kind !== 'simulated' &&
    configuration.kind !== 'served' &&
    (configuration.api_key_secret !== undefined || configuration.api_key_parameter !== undefined)
  const endpoints = models.list(tenant)
  const { ready, note } = endpoints.find((each) => each.id === endpoint) ?? { ready: true, note: null }
  if (ready || isElsewhere) return
  throw new EspalierError(
    'invalid_request',
    `${note} Give the service its key and start it again, or name another endpoint; "simulated" needs none.${didYouMean(
      id,
      endpoints.flatMap((each) => each.models),
    )}`,
    { param },
  )
}

function checkTokenPrompts({ model, method, record }: RunRequest, endpoint: EndpointConfiguration): void {
  const refuse = (why: string, param: string) => new EspalierError('invalid_request', why, { param })
  if (endpoint.kind === 'simulated' || !isTokenServer(tokenSourceOf(endpoint))) {
    const why = `The endpoint "${model.endpoint}" takes no token ids. State its server as "tokens" in its configuration: vllm, sglang or llama-cpp; or leave "prompting" out.`
    throw refuse(why, 'model.prompting')
  }
  if (method.actions === 'tools') {
    const why = 'Prompts of token ids have no tools. Leave "actions" out, or "prompting".'
    throw refuse(why, 'method.actions')
  }
  if (record === 'text')
    throw refuse('Prompts of token ids need records of tokens. Leave "record" out, or "prompting".', 'record')
}
