import { hash } from 'node:crypto'
import type { Json, JsonObject } from '../../shared/core/contracts/json.ts'
import { clipText } from '../../shared/core/contracts/well-formed.ts'
import { canonicalJson } from '../../shared/data/datasets/canonical-json.ts'
import { wrongUsage } from '../command-error.ts'
import type { Sweep } from './sweep-file.ts'

export interface SweepCell {
  name: string
  request: JsonObject
  digest: string
}

interface Choice {
  label: string
  settings: JsonObject
}

/**
 * The runs of a sweep: for each environment, method and model, each seed.
 * @throws CommandError if two would have the same name
 */
export function cellsOf(sweep: Sweep): SweepCell[] {
  const environments = sweep.environments.map(toEnvironment)
  const { preset = '' } = sweep.run
  const methods = sweep.methods?.map(toMethod) ?? [{ label: preset, settings: {} }]
  const models = sweep.models.map(toModel)
  for (const [field, choices] of Object.entries({ environments, methods, models }))
    refuseTwins(field, choices)
  if (new Set(sweep.seeds).size < sweep.seeds.length) throw wrongUsage('seeds: name each seed once.')
  return environments.flatMap((environment) =>
    methods.flatMap((method) =>
      models.flatMap((model) =>
        sweep.seeds.map((seed) => toCell(sweep, { environment, method, model, seed })),
      ),
    ),
  )
}

function toCell(
  sweep: Sweep,
  { environment, method, model, seed }: { environment: Choice; method: Choice; model: Choice; seed: number },
): SweepCell {
  const name = `${method.label} · ${environment.label} · ${model.label} · seed ${seed}`
  const { metadata, ...common } = toJson(sweep.run)
  const request: JsonObject = {
    ...common,
    ...environment.settings,
    ...('id' in method.settings && { method: method.settings }),
    model: model.settings,
    seed,
    name: clipText(name, 200),
    experiment: sweep.experiment ?? sweep.name,
  }
  return markCell(sweep.name, { name, request, metadata: (metadata ?? {}) as JsonObject })
}

export function markCell(
  sweep: string,
  { name, request, metadata = {} }: { name: string; request: JsonObject; metadata?: JsonObject },
): SweepCell {
  const digest = hash('sha256', canonicalJson(request)).slice(0, 16)
  const kept = { ...metadata, sweep, sweep_cell: shorten(name), sweep_digest: digest }
  return { name, request: { ...request, metadata: kept }, digest }
}

export function shorten(name: string): string {
  return name.length <= 512 ? name : `${clipText(name, 490)}… ${hash('sha256', name).slice(0, 16)}`
}

function toMethod(method: NonNullable<Sweep['methods']>[number]): Choice {
  if (typeof method === 'string') return { label: method, settings: { id: method } }
  const { id, label, ...parameters } = toJson(method)
  const settings = Object.entries(parameters).map(([name, value]) => `${name}=${show(value)}`)
  const shown = settings.length === 0 ? String(id) : `${id} ${settings.join(' ')}`
  return { label: typeof label === 'string' ? label : shown, settings: { id: id ?? null, ...parameters } }
}

function toEnvironment(environment: Sweep['environments'][number]): Choice {
  if (typeof environment === 'string') return { label: environment, settings: { environment } }
  const { id, label, ...settings } = toJson(environment)
  return {
    label: typeof label === 'string' ? label : String(id),
    settings: { environment: id ?? null, ...settings },
  }
}

function toModel(model: Sweep['models'][number]): Choice {
  if (typeof model === 'string') {
    const at = model.indexOf(':')
    return { label: model, settings: { endpoint: model.slice(0, at), id: model.slice(at + 1) } }
  }
  const { label, ...settings } = toJson(model)
  const shown = `${settings.endpoint}:${settings.id}`
  return { label: typeof label === 'string' ? label : shown, settings }
}

function refuseTwins(field: string, choices: readonly Choice[]): void {
  const labels = choices.map(({ label }) => label)
  const twin = labels.find((label, at) => labels.indexOf(label) !== at)
  if (twin === undefined) return
  const at = labels.lastIndexOf(twin)
  throw wrongUsage(`${field}[${at}]: two are called "${twin}". Give this one a label of its own.`)
}

function toJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject
}

function show(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
