import { crc32 } from 'node:zlib'

/** Of a column that damage gave another type: no stored checksum equals it. */
const noCrc = Number.NaN

export function rowCrc(columns: readonly (string | number | null)[], bytes?: Uint8Array | null): number {
  if (bytes && !(bytes instanceof Uint8Array)) return noCrc
  const text = crc32(columns.join('\n'))
  return (bytes ? crc32(bytes, text) : text) | 0
}

export function queueOfLetter(queue: string): string {
  return queue.replace(/\/dead$/, '')
}

/** The checksums of a message: of its queue and group, and of its body too. A dead letter keeps those of its queue. */
export function messageCrcs(queue: string, group: string, body: string): { group: number; whole: number } {
  const ofGroup = crc32(`${queueOfLetter(String(queue))}\n${group}`)
  return { group: ofGroup | 0, whole: typeof body === 'string' ? crc32(body, ofGroup) | 0 : noCrc }
}

export function itemCrcs(
  { partition, sort }: { partition: string; sort: string },
  item: string,
  expires_at: number | null,
): { key: number; whole: number } {
  const key = crc32(`${partition}\n${sort}`)
  if (typeof item !== 'string') return { key: key | 0, whole: noCrc }
  const whole = crc32(item, expires_at === null ? key : crc32(String(expires_at), key))
  return { key: key | 0, whole: whole | 0 }
}
