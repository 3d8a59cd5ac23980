import { type JsonObject, jsonObjectSchema } from './json.ts'
import { isDeeperThan } from './json-depth.ts'

const noRemedy = 'The service writes it from the prompt and the settings of the run'

/**
 * Fields of a request's body that the service writes itself, each with the setting to use instead. An option that
 * adds choices, tokens or a stored conversation would also break the count of money.
 */
const ownedFields: Readonly<Record<string, string>> = {
  model: 'Name the model as `id` of the run’s model',
  messages: noRemedy,
  input: noRemedy,
  instructions: noRemedy,
  system: noRemedy,
  prompt: noRemedy,
  n: 'The method decides how many answers it asks for',
  best_of: 'The method decides how many answers it asks for',
  stream: 'Set `stream` of the endpoint',
  stream_options: 'Set `stream` of the endpoint',
  temperature: 'Set `temperature` of the run’s model',
  top_p: 'Set `top_p` of the run’s model',
  max_tokens: 'Set `max_tokens` of the run’s model',
  max_completion_tokens: 'Set `max_tokens` of the run’s model',
  max_output_tokens: 'Set `max_tokens` of the run’s model',
  seed: 'Set `seed` of the endpoint',
  stop: 'Set `stop` of the run’s model',
  stop_sequences: 'Set `stop` of the run’s model',
  tools: 'Set `actions` of the method to "tools"',
  functions: 'Set `actions` of the method to "tools"',
  function_call: 'Set `actions` of the method to "tools"',
  tool_choice: 'Set `tool_choice` of the endpoint',
  parallel_tool_calls: 'Set `parallel_tool_calls` of the endpoint',
  reasoning_effort: 'Set `reasoning_effort` of the run’s model',
  logprobs: 'The service asks for log-probabilities itself',
  top_logprobs: 'The service asks for log-probabilities itself',
  prompt_logprobs: 'The service asks for log-probabilities itself',
  return_token_ids: 'The service asks for tokens itself',
  return_tokens: 'The service asks for tokens itself',
  return_tokens_as_token_ids: 'The service asks for tokens itself',
  return_prompt_token_ids: 'The service asks for tokens itself',
  return_meta_info: 'The service asks for tokens itself',
  n_probs: 'The service asks for log-probabilities itself',
  n_predict: 'Set `max_tokens` of the run’s model',
  max_new_tokens: 'Set `max_tokens` of the run’s model',
  input_ids: noRemedy,
  store: 'The service keeps no conversation at the provider',
  background: 'The service waits for each answer',
  previous_response_id: 'The service keeps no conversation at the provider',
  conversation: 'The service keeps no conversation at the provider',
  include: noRemedy,
  cache_control: 'Set `cache` of the endpoint',
}

// Fields that make calls dearer than the endpoint's price: a dearer service, another model, or billed extras. Only
// the endpoint may set them.
export const pricedFields = [
  'service_tier',
  'speed',
  'inference_geo',
  'models',
  'route',
  'fallbacks',
  'plugins',
  'web_search_options',
  'search_parameters',
  'mcp_servers',
  'container',
] as const

/** Names under which a body would hold a key. Options are stored with runs and shown. */
const keyName = /api[-_]?key|authorization|password|secret|^(access|auth|bearer)?[-_]?token$/i

const deepest = 20
const longest = 20_000

export const requestOptionsSchema = jsonObjectSchema.check(({ value, issues }) => {
  const refuse = (path: string[], message: string): void => {
    issues.push({ code: 'custom', input: value, path, message })
  }
  if (isDeeperThan(value, deepest)) return refuse([], `nests deeper than ${deepest} levels`)
  if (JSON.stringify(value).length > longest) return refuse([], `has more than ${longest} characters`)
  for (const field of Object.keys(value)) {
    const remedy = Object.hasOwn(ownedFields, field) ? ownedFields[field] : undefined
    if (remedy !== undefined) refuse([field], `"${field}" is not an option. ${remedy}.`)
  }
  const key = findKeyName(value)
  if (key !== null) {
    refuse(
      key,
      'Options hold no keys. Name the place of the key as api_key_env or api_key_file of the endpoint.',
    )
  }
})

function findKeyName(value: unknown, path: string[] = []): string[] | null {
  if (typeof value !== 'object' || value === null) return null
  for (const [name, inner] of Object.entries(value)) {
    const here = [...path, name]
    if (!Array.isArray(value) && keyName.test(name)) return here
    const found = findKeyName(inner, here)
    if (found !== null) return found
  }
  return null
}

export function addOptions<Body extends object>(body: Body, options: JsonObject | undefined): Body {
  if (options === undefined || Object.keys(options).length === 0) return body
  const added = Object.entries(options).filter(([name]) => !has(body, name))
  const joined = Object.entries(body).map(([name, value]) => {
    const option = Object.hasOwn(options, name) ? options[name] : undefined
    return [name, isObject(value) && isObject(option) ? addOptions(value, option) : value]
  })
  return Object.fromEntries([...joined, ...added]) as Body
}

function has(body: object, name: string): boolean {
  return Object.hasOwn(body, name) && (body as Record<string, unknown>)[name] !== undefined
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
