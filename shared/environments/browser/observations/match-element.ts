import type { SeenPage } from './seen-page.ts'

interface Line {
  id: string
  role: string
  name: string
}

const leastOverlap = 0.75

/**
 * Finds the present id of an element of an earlier observation, when the page is the same but its ids or a few texts
 * changed. It compares role and name, and among equals the position in their order. Returns undefined if there is no
 * match.
 * @param seen the text of the earlier observation
 */
export function matchElement(id: string, seen: string, now: Pick<SeenPage, 'elements'>): string | undefined {
  const before = seen.split('\n').flatMap(readLine)
  const at = before.findIndex((line) => line.id === id)
  const wanted = before[at]
  if (wanted === undefined) return undefined
  const after = Array.from(now.elements, ([, { text }]) => readLine(text)).flat()
  const isEqual = (line: Line) => line.role === wanted.role && line.name === wanted.name
  const equals = after.filter(isEqual)
  if (equals.length > 0) {
    const rank = before.slice(0, at).filter(isEqual).length
    return (equals[rank] ?? equals.at(-1))?.id
  }
  const alike = after
    .map((line, index) => ({ line, distance: Math.abs(index / after.length - at / before.length) }))
    .filter(({ line }) => line.role === wanted.role && overlap(wanted.name, line.name) >= leastOverlap)
    .toSorted((one, other) => one.distance - other.distance)
  return alike[0]?.line.id
}

function readLine(text: string): Line[] {
  const [, id, rest = ''] = /^\s*\[(\d+)\] (.*)$/s.exec(text) ?? []
  if (id === undefined) return []
  const [, role = '', name = ''] =
    /^\[([^\]]*)\] \[(.*)\]$/s.exec(rest) ??
    /^([\w-]+) ('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")/.exec(rest) ??
    /^<(\S+)(.*)$/s.exec(rest) ??
    []
  return [{ id, role, name: role === '' ? rest : name }]
}

function overlap(one: string, other: string): number {
  const words = new Set(one.split(/\s+/))
  const others = new Set(other.split(/\s+/))
  const common = [...words].filter((word) => others.has(word)).length
  return common / Math.max(words.size, others.size)
}
