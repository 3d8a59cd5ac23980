import type { EnvironmentInfo, MethodInfo } from '../../../shared/core/contracts/catalogue.ts'
import { exampleEnvironment } from '../../../shared/core/contracts/example-environment.ts'
import { idleParameters } from '../../../shared/core/contracts/idle-parameters.ts'
import type { Json, JsonObject } from '../../../shared/core/contracts/json.ts'
import type { PresetInfo } from '../../../shared/core/contracts/preset.ts'
import { modelSettingsSchema, placeSchema, settingsSchema } from '../../components/form/form-schemas.ts'
import { readTags, writeTags } from '../../components/labels/typed-labels.ts'
import { isObject } from '../../components/schema-fields/read-fields.ts'
import { findProblems, settleValue, withoutDefaults } from '../../components/schema-fields/settle-value.ts'
import { chosenParameters } from '../../format/chosen-parameters.ts'
import type { RunCatalogue } from '../../service/run-catalogue.ts'

/**
 * The form's state: only the user's settings, grouped as the form shows them. Values stay as entered even if they are
 * invalid. The service reports the errors, and the form never substitutes another value.
 */
export interface RunDraft {
  name: string
  experiment: string
  tags: string
  // The tags that the form began with.
  knownTags: readonly string[]
  note: string
  preset: string
  environment: string
  environmentOptions: JsonObject
  tasks: JsonObject
  method: string
  parameters: JsonObject
  endpoint: string
  model: string
  modelSettings: JsonObject
  roles: Record<string, JsonObject>
  prompts: Record<string, string>
  // Few-shot turns of the run that this one begins from: files bring them, and the form keeps them.
  examples?: Json[]
  settings: JsonObject
  place: JsonObject
  limits: JsonObject
  episodeLimits: JsonObject
  /** Metadata copied from the source run; the form has no input for it. */
  metadata: Record<string, string>
}

export const emptyDraft: RunDraft = {
  name: '',
  experiment: '',
  tags: '',
  knownTags: [],
  note: '',
  preset: '',
  environment: '',
  environmentOptions: {},
  tasks: { split: 'test', limit: 20 },
  method: '',
  parameters: {},
  endpoint: '',
  model: '',
  modelSettings: {},
  roles: {},
  prompts: {},
  settings: {},
  place: {},
  limits: {},
  episodeLimits: {},
  metadata: {},
}

export function toRequest(draft: RunDraft): JsonObject {
  const { endpoint, environment, method, model, name, parameters, roles } = draft
  const settle = settling(draft.preset)
  const given = Object.entries(roles).filter(([, choice]) => Object.keys(choice).length > 0)
  return {
    ...(name !== '' && { name }),
    ...whereSaid('experiment', draft.experiment),
    ...whereAny('tags', readTags(draft.tags, draft.knownTags)),
    ...whereSaid('note', draft.note),
    ...(draft.preset !== '' && { preset: draft.preset }),
    environment,
    ...whereAny('environment_options', draft.environmentOptions),
    ...whereAny('tasks', draft.tasks),
    method: { id: method, ...parameters },
    model: { endpoint, id: model, ...settle(modelSettingsSchema, draft.modelSettings) },
    ...whereAny('roles', Object.fromEntries(given)),
    ...whereAny('prompts', draft.prompts),
    ...(draft.examples && { examples: draft.examples }),
    ...settle(placeSchema, draft.place),
    ...settle(settingsSchema, draft.settings),
    ...whereAny('limits', draft.limits),
    ...whereAny('episode_limits', draft.episodeLimits),
    ...whereAny('metadata', draft.metadata),
  }
}

/** Omits defaults, except over a preset, whose values would otherwise apply. */
function settling(preset: string): typeof withoutDefaults {
  return preset === '' ? withoutDefaults : (_, value) => value
}

function whereSaid(field: string, text: string): JsonObject {
  return text.trim() === '' ? {} : { [field]: text.trim() }
}

function whereAny(field: string, value: JsonObject | string[]): JsonObject {
  return Object.keys(value).length === 0 ? {} : { [field]: value }
}

/**
 * Reads a draft from a run's request or from an untrusted address. It drops values of a wrong shape. It keeps other
 * invalid values, and the service reports them.
 */
export function toDraft(
  request: JsonObject,
  methods: readonly MethodInfo[],
  environments: readonly EnvironmentInfo[],
): RunDraft {
  const { endpoint, id: model, ...modelSettings } = objectOf(request.model)
  const { id, ...parameters } = objectOf(request.method)
  const method = methods.find((each) => each.id === id)
  const environment = environments.find((each) => each.id === request.environment)
  const tags = textsOf(request.tags)
  const preset = textOf(request.preset) || textOf(objectOf(request.preset).id)
  const settle = settling(preset)
  return {
    name: textOf(request.name),
    experiment: textOf(request.experiment),
    tags: writeTags(tags),
    knownTags: tags,
    note: textOf(request.note),
    preset,
    environment: textOf(request.environment),
    environmentOptions: settle(environment?.options ?? {}, objectOf(request.environment_options)),
    tasks: objectOf(request.tasks),
    method: textOf(id),
    parameters: preset === '' ? chosenParameters(parameters, method, environment) : parameters,
    endpoint: textOf(endpoint),
    model: textOf(model),
    modelSettings: settle(modelSettingsSchema, known(modelSettingsSchema, modelSettings)),
    roles: mapObject(request.roles, (choice) => (isObject(choice) ? choice : undefined)),
    prompts: mapObject(request.prompts, (text) => textOf(text) || undefined),
    ...(Array.isArray(request.examples) && { examples: request.examples }),
    settings: settle(settingsSchema, known(settingsSchema, request)),
    place: settle(placeSchema, known(placeSchema, request)),
    limits: objectOf(request.limits),
    episodeLimits: objectOf(request.episode_limits),
    metadata: mapObject(request.metadata, (text) => textOf(text) || undefined),
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

function known({ properties }: JsonObject, values: JsonObject): JsonObject {
  const names = Object.keys(objectOf(properties))
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)))
}

function mapObject<Value>(
  value: Json | undefined,
  change: (value: Json) => Value | undefined,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(objectOf(value)).flatMap(([name, each]): [string, Value][] => {
      const changed = change(each)
      return changed === undefined ? [] : [[name, changed]]
    }),
  )
}

export function withMethod(draft: RunDraft, method: MethodInfo, before: JsonObject = {}): RunDraft {
  const roles = new Set<string>(method.roles)
  const prompts = new Set(method.prompts.map(({ id }) => id))
  return {
    ...draft,
    method: method.id,
    parameters: fitting(method.parameters, { ...before, ...draft.parameters }),
    roles: keep(draft.roles, roles),
    prompts: keep(draft.prompts, prompts),
  }
}

function fitting(schema: JsonObject, parameters: JsonObject): JsonObject {
  const settled = settleValue(schema, parameters, findIdle)
  const problems = findProblems(schema, settled)
  const sound = Object.entries(settled).filter(([name]) => problems[name] === undefined)
  // A dropped choice may have selected the variant, so check again.
  return sound.length < Object.keys(settled).length ? fitting(schema, Object.fromEntries(sound)) : settled
}

export function withPreset(request: JsonObject, preset: PresetInfo | undefined): JsonObject {
  const { preset: _preset, ...rest } = request
  if (preset === undefined) return rest
  const { method: _method, environment_options: _options, ...kept } = rest
  const next: JsonObject = { ...kept, preset: preset.id }
  for (const { environments, field, value } of preset.settings) {
    if (environments !== undefined && !environments.includes(textOf(request.environment))) continue
    // Tasks chosen by id, or generated, can belong to any split.
    const { generate, ids } = objectOf(request.tasks)
    if (field === 'tasks.split' && (ids ?? generate) !== undefined) continue
    const [part = '', ...names] = field.split('.')
    next[part] = names.length === 0 ? value : setWithin(objectOf(next[part]), names, value)
  }
  return next
}

function setWithin(target: JsonObject, [name = '', ...deeper]: string[], value: Json): JsonObject {
  return { ...target, [name]: deeper.length === 0 ? value : setWithin(objectOf(target[name]), deeper, value) }
}

export function withEnvironment(draft: RunDraft, environment: EnvironmentInfo): RunDraft {
  const { limit, split } = draft.tasks
  const splits = Object.keys(environment.splits)
  const kept = typeof split === 'string' && splits.includes(split) ? split : (splits[0] ?? 'test')
  return {
    ...draft,
    environment: environment.id,
    environmentOptions: {},
    tasks: { split: kept, ...(limit !== undefined && { limit }) },
    place: {},
  }
}

function keep<Value>(record: Record<string, Value>, names: ReadonlySet<string>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)))
}

export function firstDraft({ endpoints, environments, methods }: RunCatalogue): RunDraft {
  const environment = environments.find(({ id }) => id === exampleEnvironment)
  const simulated = endpoints.find(({ kind, ready }) => kind === 'simulated' && ready)
  return {
    ...(environment === undefined ? emptyDraft : withEnvironment(emptyDraft, environment)),
    method: methods.find(({ id }) => id === 'react')?.id ?? '',
    endpoint: simulated?.id ?? '',
    model: simulated?.models[0] ?? '',
  }
}

export function findIdle(parameters: JsonObject): string[] {
  return idleParameters(parameters).map(({ name }) => name)
}
