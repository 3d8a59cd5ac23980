import type { Json } from '../../core/contracts/json.ts'
import type { Comparison } from '../../core/contracts/report.ts'
import type { Run } from '../../core/contracts/run.ts'
import { digest } from '../../core/engine/digest.ts'

type Setting = Comparison['settings'][number]
type Value = Setting['values'][number]

/** Labels for people, without effect on play: the other fields have the settings of a preset. */
const labels = new Set(['name', 'metadata', 'preset', 'experiment', 'tags', 'note'])

const longestShown = 80

/**
 * The fields of the runs' requests with unequal values, by their path: `method.iterations`, `model.temperature`,
 * `prompts.react`. Lists count as one value. A comparison shows them, so that a reader sees the other differences
 * between the runs. `method.version` is that of an added method's file.
 */
export function differingSettings(runs: readonly Pick<Run, 'request' | 'resolved'>[]): Setting[] {
  const flat = runs.map(({ request, resolved }) => {
    const settings = Object.entries(request).filter(([field]) => !labels.has(field))
    const version = flatten('method.version', resolved?.module?.digest)
    return new Map([...settings.flatMap(([field, value]) => flatten(field, value as Json)), ...version])
  })
  const fields = [...new Set(flat.flatMap((settings) => [...settings.keys()]))]
  return fields
    .map((field) => ({ field, values: flat.map((settings) => settings.get(field) ?? null) }))
    .filter(({ values }) => new Set(values).size > 1)
}

function flatten(path: string, value: Json | undefined): [string, Value][] {
  if (value === undefined) return []
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return [[path, value]]
  if (typeof value === 'string') return [[path, shorten(value)]]
  if (Array.isArray(value)) return [[path, shorten(JSON.stringify(value))]]
  return Object.entries(value).flatMap(([field, inner]) => flatten(`${path}.${field}`, inner))
}

function shorten(text: string): string {
  if (text.length <= longestShown) return text
  return `${text.length} characters, digest ${digest(text)}`
}
