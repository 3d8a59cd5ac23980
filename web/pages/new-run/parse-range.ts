import type { Json } from '../../../shared/contracts/json.ts'

/** `0-50` as two positions; undefined for nothing, and what is no range as it was typed. */
export function parseRange(text: string): Json | undefined {
  if (text.trim() === '') return undefined
  const [, from, to] = /^\s*(\d+)\s*[-–]\s*(\d+)\s*$/.exec(text) ?? []
  return from === undefined || to === undefined ? text : [Number(from), Number(to)]
}

export function rangeText(range: Json | undefined): string {
  if (range === undefined) return ''
  return Array.isArray(range) ? range.join('-') : String(range)
}

/** What is wrong with a range, as a sentence; null where nothing is. */
export function rangeProblem(range: Json | undefined): string | null {
  if (range === undefined) return null
  const [from, to, ...more] = Array.isArray(range) ? range : []
  if (!isPosition(from) || !isPosition(to) || more.length > 0)
    return 'Enter two positions with a dash between them, such as 0-50.'
  return from < to ? null : 'The second position must be greater than the first.'
}

function isPosition(value: Json | undefined): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
