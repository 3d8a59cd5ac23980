import type { FewShotTurn } from '../shared/core/contracts/few-shot-turn.ts'
import type { Json, JsonObject } from '../shared/core/contracts/json.ts'
import { wrongUsage } from './command-error.ts'
import { parsePrompts, parseRange, parseRoles, parseSettings } from './parse-setting.ts'

export interface RunFlags {
  name?: string
  preset?: string
  environment?: string
  split?: string
  task?: string[]
  range?: string
  type?: string[]
  limit?: number
  generate?: number
  generator?: string
  generateSeed?: number
  bound?: string[]
  method?: string
  set?: string[]
  endpoint?: string
  model?: string
  temperature?: number
  topP?: number
  answerTokens?: number
  promptTokens?: number
  tokenizer?: string
  maxPictures?: number
  reasoningEffort?: string
  request?: string[]
  stop?: string[]
  role?: string[]
  prompt?: string[]
  examples?: FewShotTurn[]
  epochs?: number
  data?: string
  environmentOption?: string[]
  hosting?: string
  workers?: string
  seed?: number
  samplingSeed?: number
  maxParallel?: number
  maxRetries?: number
  maxCost?: number
  maxTokens?: number
  maxTime?: number
  episodeSteps?: number
  episodeTurns?: number
  episodeTokens?: number
  episodeCost?: number
  episodeTime?: number
  metadata?: string[]
  experiment?: string
  tag?: string[]
  note?: string
}

/**
 * The body of `POST /v1/runs`: the file's content, overridden by the flags. The service checks it, so this function
 * refuses only meaningless flags. A flag that names another method drops the parameters of the file's method.
 */
export function buildRunRequest(flags: RunFlags, file: JsonObject = {}, split = 'test'): JsonObject {
  const request: JsonObject = { ...file }
  assign(request, {
    name: flags.name,
    preset: flags.preset,
    environment: flags.environment,
    epochs: flags.epochs,
    data: flags.data,
    hosting: flags.hosting,
    workers: flags.workers,
    seed: flags.seed,
    sampling_seed: flags.samplingSeed,
    max_parallel: flags.maxParallel,
    max_retries: flags.maxRetries,
    experiment: flags.experiment,
    tags: flags.tag,
    note: flags.note,
    examples: flags.examples,
  })
  const generate = generationOf(flags, objectAt(objectAt(request, 'tasks'), 'generate'))
  const tasks = {
    generate,
    split: generate === undefined ? flags.split : undefined,
    ids: flags.task,
    range: flags.range === undefined ? undefined : parseRange(flags.range),
    types: flags.type,
    limit: flags.limit,
  }
  merge(
    request,
    'tasks',
    request.preset === undefined ? withSplit(tasks, objectAt(request, 'tasks'), split) : tasks,
  )
  merge(request, 'environment_options', parseSettings(flags.environmentOption ?? []))
  mergeMethod(request, flags)
  mergeModel(request, flags)
  mergeRoles(request, flags)
  merge(request, 'prompts', parsePrompts(flags.prompt ?? []))
  merge(request, 'limits', { cost: flags.maxCost, tokens: flags.maxTokens, time: flags.maxTime })
  merge(request, 'episode_limits', {
    steps: flags.episodeSteps,
    turns: flags.episodeTurns,
    tokens: flags.episodeTokens,
    cost: flags.episodeCost,
    time: flags.episodeTime,
  })
  merge(request, 'metadata', mapValues(parseSettings(flags.metadata ?? []), String))
  for (const [field, flag] of [
    ['environment', '--environment'],
    ['method', '--method'],
    ['model', '--model'],
  ] as const) {
    if (field === 'method' && request.preset !== undefined) continue
    if (request[field] === undefined) throw wrongUsage(`Give ${flag}, or a --file that states "${field}".`)
  }
  return request
}

function generationOf(flags: RunFlags, file: JsonObject): JsonObject | undefined {
  const { bound, generate: count, generateSeed: seed, generator, split } = flags
  const isAsked = count !== undefined || Object.keys(file).length > 0
  const [alone] = Object.entries({
    '--generator': generator,
    '--generate-seed': seed,
    '--bound': bound,
  }).filter(([, value]) => value !== undefined)
  if (!isAsked) {
    if (alone !== undefined) throw wrongUsage(`Give --generate beside ${alone[0]}: how many tasks to make.`)
    return undefined
  }
  const generation = { ...file }
  assign(generation, { count, generator, seed, split, ...parseSettings(bound ?? []) })
  return generation
}

/** Flags that narrow tasks narrow this split, unless a split or tasks are named. A preset names its paper's split itself. */
function withSplit(
  flags: Record<string, Json | undefined>,
  file: JsonObject,
  split: string,
): Record<string, Json | undefined> {
  const narrows = Object.values(flags).some((value) => value !== undefined)
  const isNamed = [flags.split, flags.ids, flags.generate, file.split, file.ids].some(
    (value) => value !== undefined,
  )
  return narrows && !isNamed ? { ...flags, split } : flags
}

function mergeMethod(request: JsonObject, flags: RunFlags): void {
  const before = objectAt(request, 'method')
  const another = flags.method !== undefined && before.id !== undefined && before.id !== flags.method
  const method = another ? {} : before
  assign(method, { id: flags.method, ...parseSettings(flags.set ?? []) })
  if (Object.keys(method).length > 0) request.method = method
}

/** `simulated` is a model of the endpoint `simulated`. Any other model is on `openai` unless an endpoint is named. */
function mergeModel(request: JsonObject, flags: RunFlags): void {
  const model = objectAt(request, 'model')
  assign(model, {
    endpoint: flags.endpoint,
    id: flags.model,
    temperature: flags.temperature,
    top_p: flags.topP,
    max_tokens: flags.answerTokens,
    max_prompt_tokens: flags.promptTokens,
    tokenizer: flags.tokenizer,
    max_pictures: flags.maxPictures,
    reasoning_effort: flags.reasoningEffort,
    request: flags.request && { ...objectAt(model, 'request'), ...parseSettings(flags.request) },
    stop: flags.stop?.map((text) => text.replaceAll('\\n', '\n')),
  })
  if (Object.keys(model).length === 0) return
  if (model.id === undefined && model.endpoint === 'simulated') model.id = 'simulated'
  if (model.endpoint === undefined && typeof model.id === 'string') {
    model.endpoint = model.id === 'simulated' ? 'simulated' : 'openai'
  }
  request.model = model
}

function mergeRoles(request: JsonObject, flags: RunFlags): void {
  const roles = objectAt(request, 'roles')
  for (const [role, settings] of Object.entries(parseRoles(flags.role ?? []))) merge(roles, role, settings)
  if (Object.keys(roles).length > 0) request.roles = roles
}

export function merge(request: JsonObject, field: string, values: Record<string, Json | undefined>): void {
  const merged = objectAt(request, field)
  assign(merged, values)
  if (Object.keys(merged).length > 0) request[field] = merged
}

export function objectAt(request: JsonObject, field: string): JsonObject {
  const value = request[field]
  if (value === undefined) return {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw wrongUsage(`"${field}" in the file must be an object.`)
}

export function assign(target: JsonObject, values: Record<string, Json | undefined>): void {
  for (const [name, value] of Object.entries(values)) if (value !== undefined) target[name] = value
}

function mapValues(values: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
