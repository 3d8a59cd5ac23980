import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { ModelChoice } from '../../core/contracts/model-choice.ts'
import { questionRoleSchema } from '../../core/contracts/model-question.ts'
import type { ExtendRequest, RunRequest } from '../../core/contracts/run.ts'
import { panelOf } from '../../core/engine/runs/passport-of.ts'
import type { RunPlan, RunPlanner, RunSettings } from '../../core/engine/runs/run-planner.ts'
import { type PictureStore, unkeptPictures } from '../../core/pictures/picture-store.ts'
import { describeProvenance, provenanceOfStored } from '../../environments/describe-provenance.ts'
import { type Environment, type EnvironmentTask, isHosted } from '../../environments/environment.ts'
import { builtinData, type Environments, type OpenEnvironment } from '../../environments/open-environments.ts'
import { type FindMissingRuntimes, refuseMissing } from '../../environments/runtimes/image-runtimes.ts'
import { resolveTasks, settleSelection } from '../../environments/select-tasks.ts'
import { checkPrompts } from '../search/prompt-book.ts'
import { etoStops, refuseTextSettings } from './agent-parameters.ts'
import { checkBeginnings } from './beginnings.ts'
import { explainPreset, packCommand } from './explain-preset.ts'
import type { Method, Sharing } from './method.ts'
import { type Methods, parseMethodParameters, promptsOf, schemaOf } from './methods.ts'
import { planLearning } from './plan-learning.ts'
import { PriceCheck } from './price-check.ts'
import { settleExamples } from './prompts/few-shot.ts'
import { settleAgain, settleParameters } from './settle-parameters.ts'
import { refuseRestoreAction } from './turn-actions.ts'

export interface PlannerOptions {
  environments: Pick<Environments, 'open'>
  methods: Methods
  /**
   * Lists the programs that an environment needs and the machine of its hosts lacks.
   *
   * @default nothing: images of a deployment contain all
   */
  missingRuntimes?: FindMissingRuntimes
  /** Keeps the pictures of few-shot turns. @default they are measured alone */
  pictures?: PictureStore
  /**
   * Tests whether the endpoint states a price for the model.
   *
   * @throws EspalierError `unknown_endpoint`, naming `param`
   */
  isPriced(choice: ModelChoice, param: string): boolean
  /** The models with prices of an endpoint, to suggest the closest. @default none */
  pricedModels?(endpoint: string): readonly string[]
  /**
   * Completes a request with its endpoints' defaults, such as the longest answer.
   *
   * @default unchanged
   * @throws EspalierError `unknown_endpoint`, or `invalid_request` for settings that a model does not accept
   */
  completeModels?(request: RunRequest, tenant?: string): RunRequest | Promise<RunRequest>
  /**
   * Adds the tokenizers that count the request's prompts, and warnings about them.
   *
   * @default unchanged
   * @throws EspalierError `invalid_request` for a named tokenizer that cannot be used
   */
  completeTokenizers?(
    request: RunRequest,
    tenant?: string,
  ): Promise<{ request: RunRequest; warnings: readonly string[] }>
}

export function createRunPlanner(options: PlannerOptions): RunPlanner {
  const { methods, completeModels = (request: RunRequest) => request } = options
  const complete = async (given: RunRequest, tenant?: string) => {
    const request = await completeModels(given, tenant)
    return (await options.completeTokenizers?.(request, tenant)) ?? { request, warnings: [] }
  }
  const prices = new PriceCheck(options)
  return {
    async plan(given, tenant) {
      const { request, warnings: counted } = await complete(given, tenant)
      const plan = await planRun(request, options, prices)
      const warnings = [...counted, ...prices.misspelt(request)]
      if (plan.resolved === undefined || warnings.length === 0) return plan
      return { ...plan, resolved: { ...plan.resolved, warnings: [...warnings] } }
    },
    async planAnnotations(given, episodes, tenant) {
      const { request } = await complete(given, tenant)
      const priced = prices.areKnown(request)
      prices.checkLimits(request)
      return { request, tasks: episodes, priced, purpose: 'annotate' }
    },
    extend(before, extension) {
      const extended = extendRun(before, extension, methods)
      prices.checkLimits(extended.request)
      return extended
    },
    provenanceOf: provenanceOfStored,
    checkLimits: (request) => prices.checkLimits(request),
  }
}

async function planRun(
  request: RunRequest,
  { environments, methods, missingRuntimes = async () => [], pictures = unkeptPictures }: PlannerOptions,
  prices: PriceCheck,
): Promise<RunPlan> {
  // Generators build tasks from the built-in data. An added pack plays no role unless the run names it.
  const asked = request.data ?? (request.tasks.generate === undefined ? undefined : builtinData)
  const opened = await withPreset(request, null, () =>
    environments.open(request.environment, asked, request.environment_options),
  )
  const { environment, pack } = opened
  const { id, ...chosen } = request.method
  const method = methods.find(id)
  await withPreset(request, opened, async () => checkData(opened))
  checkHosting(request, opened)
  refuseMissing(environment.id, await missingRuntimes(environment))
  checkBranches(method, environment)
  checkRestore(method, environment, chosen as JsonObject)
  checkEmbedding(request)
  checkPrompts(request.prompts, promptsOf(method), id)
  const examples = await settleExamples(request, promptsOf(method), pictures)
  const selection = settleSelection(environment, request.tasks)
  const tasks = await withPreset(request, opened, () => resolveTasks(environment, selection))
  checkAsked(environment, tasks, request)
  checkBeginnings(chosen as JsonObject, tasks)
  const { parameters, resolved } = settleParameters(method, chosen as JsonObject, { environment, tasks })
  const module = methods.moduleOf(id)
  const priced = prices.areKnown(request)
  prices.checkLimits(request)
  const sharing = method.sharing?.(parameters) ?? null
  const data = opened.definition.pack === undefined ? {} : { data: pack?.digest ?? builtinData }
  const rules = opened.options === undefined ? {} : { environment_options: opened.options }
  return {
    request: {
      ...request,
      ...stopsOf(request, parameters),
      tasks: selection,
      ...data,
      ...rules,
      ...examples,
      method: { id, ...parameters },
    },
    resolved: { ...resolved, ...(module && { module }), ...panelOf(tasks, opened.definition.scorer) },
    tasks: tasks.map((task) => task.id),
    priced,
    provenance: {
      ...describeProvenance(opened.definition, pack),
      ...(sharing?.learning?.counts && { trained: true as const }),
    },
    ...planSharing(sharing, environment, tasks, request),
  }
}

/** @throws EspalierError if the extension changes nothing, or asks for another search than that of the run */
function extendRun(
  { request, resolved }: RunSettings,
  extension: ExtendRequest,
  methods: Methods,
): RunSettings {
  const { method: more = {}, limits, episode_limits } = extension
  if (Object.values(extension).every((part) => Object.keys(part ?? {}).length === 0)) {
    throw new EspalierError(
      'invalid_request',
      'Say what there is more of: method parameters, limits or episode_limits.',
      { param: 'method' },
    )
  }
  const { environment } = request
  const { id, ...current } = request.method
  const method = methods.find(id)
  const module = methods.moduleOf(id)
  const before = parseMethodParameters(method, current as JsonObject)
  for (const [name, value] of Object.entries(more)) {
    checkGrowth(method, before, { name, current: current[name], value })
  }
  const parameters = parseMethodParameters(method, { ...current, ...more } as JsonObject)
  return {
    request: {
      ...request,
      ...withChanges(request, more as JsonObject),
      method: { id, ...keepStyle(current as JsonObject, parameters) },
      limits: { ...request.limits, ...limits },
      episode_limits: { ...request.episode_limits, ...episode_limits },
    },
    ...(resolved && {
      resolved: {
        ...resolved,
        ...settleAgain(method, { resolved, environment }, parameters, more as JsonObject),
        ...(module && { module }),
      },
    }),
  }
}

/** The stop sequences of a run in ETO's style, unless it names its own; the run records the effective ones. */
function stopsOf({ model }: RunRequest, { style }: JsonObject): Partial<Pick<RunRequest, 'model'>> {
  return style !== 'eto' || model.stop !== undefined ? {} : { model: { ...model, stop: [...etoStops] } }
}

/** A run without a recorded style predates styles and continues without one. */
function keepStyle(before: JsonObject, { style, ...parameters }: JsonObject): JsonObject {
  return before.style === undefined || style === undefined ? parameters : { ...parameters, style }
}

function withChanges({ method, preset }: RunRequest, more: JsonObject): Partial<Pick<RunRequest, 'preset'>> {
  if (typeof preset !== 'object') return {}
  const changes = Object.entries(more)
    .filter(([name, value]) => JSON.stringify(method[name]) !== JSON.stringify(value))
    .map(([name, value]) => {
      const before = method[name] === undefined ? 'not set' : JSON.stringify(method[name])
      return `method.${name} is ${JSON.stringify(value)} since the run was extended; it was ${before}.`
    })
  return { preset: { ...preset, deviations: [...changes, ...preset.deviations] } }
}

async function withPreset<Result>(
  request: RunRequest,
  opened: OpenEnvironment | null,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw explainPreset(error, request, opened)
  }
}

/** @throws EspalierError if the environment needs a data pack and the run names none */
function checkData({ environment: { id }, pack, definition }: OpenEnvironment): void {
  if (pack !== null || definition.pack?.isNeeded !== true) return
  throw new EspalierError(
    'invalid_request',
    `${id} has no data here, and none comes along. Add it once: ${packCommand(definition)}. It needs ${definition.pack.description}.`,
    { param: 'data' },
  )
}

/** @throws EspalierError if the environment does not support the requested hosting */
function checkHosting({ hosting }: RunRequest, { environment, pack, definition }: OpenEnvironment): void {
  const { id } = environment
  if (hosting === 'worker' && isHosted(environment)) {
    throw new EspalierError(
      'invalid_request',
      `${id} runs on hosts only, not inside a worker. Leave "hosting" out.`,
      { param: 'hosting' },
    )
  }
  if (hosting === 'host' && pack !== null && definition.pack?.filesOf === undefined) {
    throw new EspalierError(
      'invalid_request',
      `Every task of ${id} needs the whole data pack, which hosts do not get. Leave "hosting" out, or play the data "${builtinData}".`,
      { param: 'hosting' },
    )
  }
}

/** @throws EspalierError if models decide the reward of tasks and the run names none */
function checkAsked(
  { id }: Environment,
  tasks: readonly EnvironmentTask[],
  { roles }: Pick<RunRequest, 'roles'>,
): void {
  for (const role of questionRoleSchema.options) {
    const asking = tasks.find(({ asks = [] }) => asks.includes(role))
    if (asking === undefined || roles[role] !== undefined) continue
    const what = role === 'judge' ? 'compares answers' : 'looks at pictures'
    throw new EspalierError(
      'invalid_request',
      `${id} asks a model that ${what} before it scores the task ${asking.id}. Name it in roles.${role}, such as {"${role}": {"endpoint": "…", "id": "…"}}; {} takes that of "model".`,
      { param: `roles.${role}` },
    )
  }
}

/** @throws EspalierError if the run requests embeddings from a chat model */
function checkEmbedding({ roles: { embedding } }: RunRequest): void {
  if (embedding === undefined || embedding.id !== undefined) return
  throw new EspalierError(
    'invalid_request',
    'roles.embedding needs the id of a model that embeds: the chat model cannot. Without the role, notes are found by their words.',
    { param: 'roles.embedding.id' },
  )
}

/** @throws EspalierError if the method returns to earlier states and the environment cannot */
function checkBranches(method: Method, environment: Environment): void {
  const { id, snapshot, deterministic } = environment
  const isLost = snapshot === 'none' || (snapshot === 'replay' && !deterministic)
  if (!method.branches || !isLost) return
  const why =
    snapshot === 'none'
      ? 'can neither snapshot nor replay them'
      : isDeclared(environment)
        ? 'is not declared to answer alike when they are replayed'
        : 'answers differently when they are replayed'
  const otherwise = isDeclared(environment)
    ? ', or say "deterministic": true in environments.json if it does'
    : ''
  throw new EspalierError(
    'invalid_request',
    `"${method.id}" goes back to earlier states, and ${id} ${why}. Choose a method that plays one path, such as "react"${otherwise}.`,
    { param: 'method.id' },
  )
}

function isDeclared(environment: Environment): boolean {
  return 'host' in environment && ['openenv', 'mcp'].includes(environment.host.kind)
}

/**
 * @throws EspalierError if the agent must restore states and cannot: its method does so itself, or its environment
 * never does
 */
function checkRestore(method: Method, { id, snapshot, deterministic }: Environment, given: JsonObject): void {
  refuseTextSettings(given)
  refuseRestoreAction(method.id, given, takes(method, given, 'restore_action'))
  const isLost = snapshot === 'none' || (snapshot === 'replay' && !deterministic)
  if (given.restore_action === undefined || !isLost) return
  throw new EspalierError(
    'invalid_request',
    `${id} cannot be brought back to an earlier state, so the agent has no restore_action there. Leave it out.`,
    { param: 'method.restore_action' },
  )
}

function takes(method: Method, given: JsonObject, name: string): boolean {
  const { properties = {} } = z.toJSONSchema(schemaOf(method, given), { io: 'input' })
  return name in properties
}

function planSharing(
  sharing: Sharing | null,
  environment: Environment,
  tasks: readonly EnvironmentTask[],
  request: RunRequest,
): Partial<RunPlan> {
  if (sharing === null) return {}
  const { learning, live, reads, roundSize, writes } = sharing
  return {
    live,
    round_size: roundSize,
    ...(learning && { learning: planLearning(environment, tasks, learning, request) }),
    ...(writes && { writes: [writes] }),
    ...(reads && {
      reads: [{ ...reads, param: `method.${reads.param}` }],
      types: [...new Set(tasks.map(({ type }) => type))],
    }),
  }
}

/** @throws EspalierError if the new value would change the search, or shrink it */
function checkGrowth(
  method: Method,
  parameters: JsonObject,
  { name, current, value }: { name: string; current: unknown; value: unknown },
): void {
  const param = `method.${name}`
  const extendable = method.extendable(parameters)
  if (!extendable.includes(name)) {
    const which = extendable.length === 0 ? 'no parameter of it can' : `only ${extendable.join(', ')} can`
    throw new EspalierError(
      takes(method, parameters, name) ? 'invalid_request' : 'unknown_field',
      `"${name}" cannot be changed by extending a run of "${method.id}": ${which}, because the rest of the search would be another one. Start a new run instead.`,
      { param },
    )
  }
  if (typeof current !== 'number' || typeof value !== 'number' || value >= current) return
  throw new EspalierError(
    'invalid_request',
    `"${param}" is ${current} already; extending cannot make it ${value}.`,
    { param },
  )
}
