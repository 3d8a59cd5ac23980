import { isPattern, readPythonPattern } from './plain-text.ts'
import { unread } from './quantities.ts'

export function isPathKey(key: string): boolean {
  return key.startsWith('$') || isPattern(key)
}

/**
 * Reads the value at a place: the only one, several as a list, or null. Of JSONPath it reads names, positions, `*`
 * and filters by equality.
 * @throws UnreadValueError for another expression
 */
export function readAtPath(data: Readonly<Record<string, unknown>>, place: string): unknown {
  if (/^\$\.\^.*\$$/s.test(place)) return byPattern(data, place.slice(2))
  if (isPattern(place)) return byPattern(data, place)
  const steps = parsePath(place)
  const first = walk([data], steps)
  const found = first.length > 0 ? first : walk([withJson(data)], steps)
  if (found.length === 0) return null
  return found.length === 1 && !place.includes('?(') ? found[0] : found
}

function byPattern(data: Readonly<Record<string, unknown>>, pattern: string): unknown {
  const known = readPythonPattern(pattern, 'y')
  const matches = (key: string) => {
    if (known === null) return false
    known.lastIndex = 0
    return known.test(key)
  }
  const found = Object.entries(data).flatMap(([key, value]) => (matches(key) ? [value] : []))
  return found.length > 1 ? found : (found[0] ?? null)
}

type PathPart = { name: string } | { at: number } | { all: true } | { field: string; equals: unknown }

const part =
  /^(?:\.?\*|\[\*\]|\.([\w-]+)|\[(\d+)\]|\[(?:'([^']*)'|"([^"]*)")\]|\[\?\(?@\.([\w-]+)\s*==?\s*(?:'([^']*)'|"([^"]*)"|(-?[\d.]+|true|false))\)?\])/

function parsePath(path: string): PathPart[] {
  const steps: PathPart[] = []
  for (let rest = path.slice(1); rest !== ''; ) {
    const found = part.exec(rest)
    if (found === null) throw unread(path, 'JSONPath that can be read')
    const [all, name, at, single, double, field, text, quoted, literal] = found
    const key = name ?? single ?? double
    if (key !== undefined) steps.push({ name: key })
    else if (at !== undefined) steps.push({ at: Number(at) })
    else if (field !== undefined)
      steps.push({ field, equals: text ?? quoted ?? JSON.parse(literal ?? 'null') })
    else steps.push({ all: true })
    rest = rest.slice(all.length)
  }
  return steps
}

function walk(values: readonly unknown[], steps: readonly PathPart[]): unknown[] {
  return steps.reduce<unknown[]>((found, step) => found.flatMap((value) => take(value, step)), [...values])
}

function take(value: unknown, step: PathPart): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if ('name' in step) {
    const own = value as Record<string, unknown>
    return !Array.isArray(value) && Object.hasOwn(own, step.name) ? [own[step.name]] : []
  }
  if ('at' in step) return Array.isArray(value) && step.at < value.length ? [value[step.at]] : []
  if ('all' in step) return Object.values(value)
  const { field, equals } = step
  return Object.values(value).filter((each) => {
    const own = each as Record<string, unknown> | null
    if (typeof own !== 'object' || own === null || !Object.hasOwn(own, field)) return false
    return typeof equals === 'number' ? Number(own[field]) === equals : own[field] === equals
  })
}

function withJson(data: unknown): unknown {
  if (Array.isArray(data)) return data.map((each) => (typeof each === 'string' ? each : withJson(each)))
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      typeof value === 'string' ? parseOr(value) : withJson(value),
    ]),
  )
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
