import type { Json } from '../../contracts/json.ts'
import type { Passport, PassportDifferences } from '../../contracts/passport.ts'
import type { ResolvedDefaults } from '../../contracts/resolved-defaults.ts'
import type { RunRequest } from '../../contracts/run.ts'
import { digest } from '../digest.ts'

type Terms = Passport['terms']

interface Settings {
  request: RunRequest
  resolved?: ResolvedDefaults | undefined
}

const longestTerm = 60

// The terms of a run that must agree before its results are ranked with those of others, by field of the run.
export function passportOf(run: Settings): Passport {
  const terms = termsOf(run)
  return { digest: digestTerms(terms), terms }
}

export function digestTerms(terms: Terms): string {
  const set = Object.entries(terms).filter(([, value]) => value !== null)
  return digest(JSON.stringify(set.toSorted(([left], [right]) => (left < right ? -1 : 1))))
}

export function differingTerms(passports: readonly Pick<Passport, 'terms'>[]): PassportDifferences {
  const fields = new Set(passports.flatMap(({ terms }) => Object.keys(terms)))
  return [...fields]
    .map((field) => ({ field, values: passports.map(({ terms }) => terms[field] ?? null) }))
    .filter(({ values }) => new Set(values).size > 1)
}

export function digestTasks(ids: readonly string[]): string {
  return `${new Set(ids).size} tasks, digest ${digest(JSON.stringify([...new Set(ids)].toSorted()))}`
}

export function panelOf(tasks: readonly { id: string }[], scorer = 1): { tasks: string; scorer: string } {
  return { tasks: digestTasks(tasks.map(({ id }) => id)), scorer: `${scorer}` }
}

function termsOf({ request, resolved }: Settings): Terms {
  const { method, model } = request
  return {
    environment: request.environment,
    data: request.data ?? 'builtin',
    tasks: resolved?.tasks ?? null,
    scorer: resolved?.scorer ?? null,
    'resolved.horizon': resolved === undefined ? null : lengthOf(resolved.horizon),
    'model.max_prompt_tokens': model.max_prompt_tokens ?? null,
    'model.max_pictures': model.max_pictures ?? null,
    'model.reasoning': model.reasoning ?? null,
    'method.layout': toTerm(method.layout as Json) ?? 'system',
    'method.actions': toTerm(method.actions as Json) ?? 'text',
    'method.test_on_trained': method.test_on_trained === true ? true : null,
    ...flatten('prompts', request.prompts),
    examples: request.examples === undefined ? null : digest(JSON.stringify(request.examples)),
    ...flatten('environment_options', request.environment_options),
    ...flatten('episode_limits', request.episode_limits),
  }
}

function lengthOf({ least, most }: { least: number; most: number }): Terms[string] {
  return least === most ? most : `${least}-${most}`
}

function flatten(path: string, values: Readonly<Record<string, Json | undefined>> = {}): Terms {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${path}.${name}`, toTerm(value)]))
}

function toTerm(value: Json | undefined): Terms[string] {
  if (value === undefined || value === null) return null
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > longestTerm ? `${text.length} characters, digest ${digest(text)}` : text
}
