import type { Json, JsonObject } from '../../../core/contracts/json.ts'
import type { Run } from '../../../core/contracts/run.ts'
import { digest } from '../../../core/engine/digest.ts'
import { differingSettings } from '../differing-settings.ts'

export interface RunGroup {
  id: string
  settings: Record<string, string | number | boolean | null>
  runs: Run[]
}

const entryFields = ['method', 'model', 'roles', 'prompts'] as const

const environmentFields = ['environment', 'data', 'environment_options', 'episode_limits'] as const

type Field = (typeof entryFields)[number] | (typeof environmentFields)[number]

/** Groups runs by their settings of play. An added method's file counts by its version. */
export function groupByEntry(runs: readonly Run[]): RunGroup[] {
  const groups = groupBy(runs, entryFields)
  for (const group of groups) {
    const method = methodOf(group)
    const rivals = groups.filter((other) => methodOf(other) === method)
    // Parameters of other methods are no settings of this one.
    const own = settingsOf(group, rivals, ['method'])
    group.settings = { ...own, ...settingsOf(group, groups, ['model', 'roles', 'prompts']) }
  }
  return groups
}

export function groupByEnvironment(runs: readonly Run[]): RunGroup[] {
  const groups = groupBy(runs, environmentFields)
  for (const group of groups) {
    const environment = firstRunOf(group).request.environment
    const rivals = groups.filter((other) => firstRunOf(other).request.environment === environment)
    group.settings = settingsOf(group, rivals, environmentFields)
  }
  return groups
}

const mostNamed = 3

/**
 * The names of groups: each one's base name, and the settings that distinguish it from those of the same name,
 * without its model, which is shown beside it. Settings that all of these have come first; of many the first are
 * named.
 * @param whatOf the method or the environment of a group
 */
export function labelsOf(groups: readonly RunGroup[], whatOf: (group: RunGroup) => string): string[] {
  const labels = groups.map((group) => {
    const rivals = groups.filter((other) => whatOf(other) === whatOf(group))
    const isCommon = (field: string) => rivals.every(({ settings }) => (settings[field] ?? null) !== null)
    const named = Object.entries(group.settings)
      .filter(([field]) => field !== 'model.endpoint' && field !== 'model.id')
      .filter(([, value]) => value !== null)
      .toSorted(([left], [right]) => Number(isCommon(right)) - Number(isCommon(left)))
      .map(
        ([field, value]) => `${field.replace(/^(method|environment_options|episode_limits)\./, '')}=${value}`,
      )
    if (named.length === 0) return whatOf(group)
    const more = named.length > mostNamed ? `, +${named.length - mostNamed}` : ''
    return `${whatOf(group)} (${named.slice(0, mostNamed).join(', ')}${more})`
  })
  return labels.map((label, at) => {
    const modelAt = (index: number) => modelOf(groups[index])
    const earlier = labels.filter(
      (other, index) => index < at && other === label && modelAt(index) === modelAt(at),
    )
    return earlier.length === 0 ? label : `${label} #${earlier.length + 1}`
  })
}

function modelOf(group: RunGroup | undefined): string {
  const model = group === undefined ? undefined : firstRunOf(group).request.model
  return `${model?.endpoint}/${model?.id}`
}

export function firstRunOf({ runs: [first] }: RunGroup): Run {
  return first as Run
}

function methodOf(group: RunGroup): string {
  return firstRunOf(group).request.method.id
}

function groupBy(runs: readonly Run[], fields: readonly Field[]): RunGroup[] {
  const groups = new Map<string, RunGroup>()
  for (const run of runs) {
    const id = digest(JSON.stringify(ordered(partOf(run, fields))))
    const group = groups.get(id)
    if (group === undefined) groups.set(id, { id, settings: {}, runs: [run] })
    else group.runs.push(run)
  }
  return [...groups.values()]
}

function partOf({ request, resolved }: Run, fields: readonly Field[]): JsonObject {
  const isMethod = fields.some((field) => field === 'method')
  const version = isMethod ? (resolved?.module?.digest ?? null) : null
  const part = Object.fromEntries(fields.map((field) => [field, request[field] ?? null]))
  return JSON.parse(JSON.stringify({ ...part, version })) as JsonObject
}

function ordered(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(ordered)
  const names = Object.keys(value).toSorted()
  return Object.fromEntries(names.map((name) => [name, ordered(value[name] ?? null)]))
}

function settingsOf(
  group: RunGroup,
  among: readonly RunGroup[],
  fields: readonly Field[],
): RunGroup['settings'] {
  const at = among.indexOf(group)
  const differing = differingSettings(among.map(firstRunOf))
  const own = differing.filter(({ field }) =>
    fields.some((each) => field === each || field.startsWith(`${each}.`)),
  )
  return Object.fromEntries(own.map(({ field, values }) => [field, values[at] ?? null]))
}
