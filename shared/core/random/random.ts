export type Random = () => number

/** The generator mulberry32: small, and good enough for shuffles and samples; not for secrets. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A 32-bit digest of a text, continuing another digest (FNV-1a). */
export function digestText(text: string, start = 0x811c9dc5): number {
  let digest = start
  for (let index = 0; index < text.length; index += 1) {
    digest = Math.imul(digest ^ text.charCodeAt(index), 0x01000193)
  }
  return digest >>> 0
}

/** Mixes a number into a digest, so that neighbouring numbers yield unrelated ones (MurmurHash3's finalizer). */
export function mixNumber(digest: number, value: number): number {
  let mixed = Math.imul(digest ^ value, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
