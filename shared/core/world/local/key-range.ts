/** Sorts after every text, because SQLite sorts blobs after texts. */
const afterAllTexts = new Uint8Array()

/** Bounds of an ordered scan by UTF-8 bytes, the order of SQLite's texts: from `lower` on, and before `upper`. */
export interface KeyRange {
  lower: string
  upper: string | Uint8Array
}

export function keyRange(prefix: string, after: string | undefined, reverse = false): KeyRange {
  const range: KeyRange = { lower: prefix, upper: endOfPrefix(prefix) }
  if (after === undefined) return range
  if (reverse) {
    const upper =
      typeof range.upper === 'string' && compareBytes(range.upper, after) < 0 ? range.upper : after
    return { lower: prefix, upper }
  }
  const next = `${after}\u0000`
  return { lower: compareBytes(prefix, next) < 0 ? next : prefix, upper: range.upper }
}

/** The least text that sorts after all texts with the prefix. UTF-8 bytes sort as code points do. */
function endOfPrefix(prefix: string): string | Uint8Array {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return afterAllTexts
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}

/** From here on the order of UTF-16 is not that of UTF-8. */
const surrogates = /[\ud800-\uffff]/

export function compareBytes(one: string, other: string): number {
  if (one === other) return 0
  if (surrogates.test(one) || surrogates.test(other))
    return Buffer.compare(Buffer.from(one), Buffer.from(other))
  return one < other ? -1 : 1
}
