import type { LedgerKey } from '../ports.ts'

/** Partitions of a run to which all of its episodes write. */
const written = /^(run\/[^/]+)\/(?:episodes|active|ends)$/

/**
 * Over how many of DynamoDB's partition keys such a one is spread. One bears 1,000 units a second, and an episode writes up to ten
 * to a partition while it is queued, taken up and ended: with sixteen a run may end more than a thousand in a second.
 */
const parts = 16

/** The run whose episodes write to a partition; null for any other partition. */
export function spreadRun(partition: string): string | null {
  return written.exec(partition)?.[1] ?? null
}

/** The partition key under which an item of a spread partition lies. */
export function storedPartition({ partition, sort }: LedgerKey): string {
  return spreadRun(partition) === null ? partition : partName(partition, digest(sort) % parts)
}

/** All partition keys over which a partition is spread. */
export function partsOf(partition: string): string[] {
  return Array.from({ length: parts }, (_, part) => partName(partition, part))
}

function partName(partition: string, part: number): string {
  return `${partition}/${String(part).padStart(2, '0')}`
}

/** FNV-1a: what follows each other in order lies apart. */
function digest(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0
  return value
}
