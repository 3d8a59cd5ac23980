import type { Objects } from '../world/ports.ts'
import { compress, decompress } from './gzip.ts'
import { compactedKey, compactionFactor, type StoredRange } from './journal-keys.ts'
import { readObject } from './read-object.ts'

/**
 * Joins a journal's segments as it grows: eight segments become one object, eight of those the next. Gzip members can
 * follow one another in one stream. Single segments repeat much of each other, so the first join compresses them
 * together; later ones copy bytes. A journal of n segments is then read in at most 7·log₈(n) + 7 objects. A missing join
 * costs reads, never data.
 */
export class Compaction {
  readonly #objects: Objects
  readonly #prefix: string
  readonly #levels: Stretch[][] = []

  constructor(objects: Objects, prefix: string) {
    this.#objects = objects
    this.#prefix = prefix
  }

  async add(range: Stretch): Promise<void> {
    const level = Math.round(Math.log(range.to - range.from + 1) / Math.log(compactionFactor))
    const earlier = this.#levels.splice(0, level).toReversed().flat()
    for (let lower = 0; lower < level; lower += 1) this.#levels.unshift([])
    const ranges = [...(this.#levels[level] ?? []), ...earlier, range]
    if (ranges.length < compactionFactor) {
      this.#levels[level] = ranges
      return
    }
    this.#levels[level] = []
    const { from } = ranges[0] as Stretch
    const joined = { key: compactedKey(this.#prefix, from, range.to), from, to: range.to }
    const body = await this.#read(ranges)
    await this.#objects.put(joined.key, level === 0 ? await compress(await decompress(body)) : body)
    await this.add(joined)
  }

  async whole(): Promise<{ from: number; to: number; body: Uint8Array; joined: boolean } | null> {
    const ranges = this.#levels.toReversed().flat()
    const [first, last] = [ranges[0], ranges.at(-1)]
    if (!first || !last) return null
    return { from: first.from, to: last.to, body: await this.#read(ranges), joined: first !== last }
  }

  async #read(ranges: Stretch[]): Promise<Uint8Array> {
    const bodies = ranges.map(({ key, body }) => body ?? readObject(this.#objects, key))
    return Buffer.concat(await Promise.all(bodies))
  }
}

interface Stretch extends StoredRange {
  body?: Uint8Array
}
