import type { Json } from '../../../shared/contracts/json.ts'

/** `0-50` as two positions; undefined for nothing, and what is no range as it was typed. */
export function parseRange(text: string): Json | undefined {
  if (text === '') return undefined
  const [, from, to] = /^\s*(\d+)\s*[-–]\s*(\d+)\s*$/.exec(text) ?? []
  return from === undefined || to === undefined ? text : [Number(from), Number(to)]
}

export function rangeText(range: Json | undefined): string {
  if (range === undefined) return ''
  return Array.isArray(range) ? range.join('-') : String(range)
}
