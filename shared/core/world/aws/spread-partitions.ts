import type { LedgerKey } from '../ports.ts'

const written = /^(run\/[^/]+)\/(?:episodes|active|ends)$/

/**
 * The number of DynamoDB partition keys for such a partition. One key supports 1,000 units a second, and an episode
 * writes up to ten to a partition while it is queued, claimed and ended: with sixteen keys more than a thousand
 * episodes of a run may end in a second.
 */
const parts = 16

export function spreadRun(partition: string): string | null {
  return written.exec(partition)?.[1] ?? null
}

export function storedPartition({ partition, sort }: LedgerKey): string {
  return spreadRun(partition) === null ? partition : partName(partition, digest(sort) % parts)
}

export function partsOf(partition: string): string[] {
  return Array.from({ length: parts }, (_, part) => partName(partition, part))
}

function partName(partition: string, part: number): string {
  return `${partition}/${String(part).padStart(2, '0')}`
}

function digest(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0
  return value
}
