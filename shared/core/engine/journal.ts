import type { TokenRecord } from '../contracts/token-record.ts'
import type { Clock, Objects } from '../world/ports.ts'
import { compress, decompress } from './gzip.ts'
import { JournalFencedError } from './journal-fenced-error.ts'
import { compactedKey, compactionFactor, type StoredRange, segmentKey } from './journal-keys.ts'
import type { JournalRecord, SegmentRecord, SegmentTiming } from './journal-record.ts'
import { type CommittedJournal, parseJournalLines, readJournal } from './read-journal.ts'
import { readObject } from './read-object.ts'
import { TokenLog } from './tokens/token-log.ts'

/**
 * Joins a journal's segments as it grows: eight segments become one object, eight of those the next. Gzip members can
 * follow one another in one stream, so joining copies bytes and compresses nothing. A journal of n segments is then
 * read in at most 7·log₈(n) + 7 objects. A missing join costs reads, never data.
 */
class Compaction {
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
    await this.#objects.put(joined.key, await this.#read(ranges))
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

export interface JournalOptions {
  objects: Objects
  clock: Clock
  prefix: string
  /** The prefix of token records. @default none can be appended */
  tokens?: string
  /** Unique to this writer, also among the same worker's earlier openings. */
  writer: string
  code: string
}

/**
 * An episode's memory: numbered segments, each created once with If-None-Match. If two workers race to create the
 * same number, one wins and the other gets {@link JournalFencedError}. Larger objects that hold many segments each
 * are written beside them ({@link Compaction}); the single segments stay, because they are the fence.
 */
export class Journal {
  readonly committed: CommittedJournal
  readonly #options: JournalOptions
  readonly #compaction: Compaction
  readonly #tokens: TokenLog | null
  readonly #headers: SegmentRecord[]
  #segments: number
  #elapsed: number

  private constructor(options: JournalOptions, committed: CommittedJournal, compaction: Compaction) {
    this.committed = committed
    this.#options = options
    this.#compaction = compaction
    this.#tokens = options.tokens === undefined ? null : new TokenLog(options.objects, options.tokens)
    this.#headers = committed.records.filter((record) => 'segment' in record)
    this.#segments = committed.ranges.at(-1)?.to ?? 0
    this.#elapsed = committed.records.findLast((record) => 'segment' in record)?.elapsed ?? 0
  }

  static async open(options: JournalOptions): Promise<Journal> {
    const committed = await readJournal(options.objects, options.prefix)
    const compaction = new Compaction(options.objects, options.prefix)
    for (const range of committed.ranges) await compaction.add(range)
    return new Journal(options, committed, compaction)
  }

  get segments(): number {
    return this.#segments
  }

  async tokensOf(call: string, answer: number): Promise<readonly number[] | null> {
    return (await this.#tokens?.sequence(call, answer, this.#headers)) ?? null
  }

  /** Seconds of working time when the last segment was committed. */
  get elapsed(): number {
    return this.#elapsed
  }

  /**
   * Commits lines as the next segment, or throws {@link JournalFencedError} and commits nothing. If the answer is
   * lost on the way, the segment is read back: if it carries our name it is ours.
   * @param elapsed - seconds of working time to store with the segment
   * @param tokens - records that are stored beside the segment, before it
   */
  async append(
    lines: JournalRecord[],
    elapsed: number,
    tokens: readonly TokenRecord[] = [],
    timing?: SegmentTiming,
  ): Promise<SegmentRecord> {
    const { clock, code, prefix, writer } = this.#options
    const header: SegmentRecord = {
      segment: this.#segments + 1,
      writer,
      code,
      at: new Date(clock.now()).toISOString(),
      elapsed: Math.round(elapsed * 1000) / 1000,
      ...(timing && { timing }),
    }
    if (tokens.length > 0) await this.#writeTokens(header, tokens)
    const text = [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
    const key = segmentKey(prefix, header.segment)
    const body = await compress(text)
    await this.#create(key, body)
    this.#segments = header.segment
    this.#headers.push(header)
    this.#elapsed = header.elapsed
    await this.#compaction.add({ key, from: header.segment, to: header.segment, body })
    return header
  }

  async compact(): Promise<JournalRecord[]> {
    const { objects, prefix } = this.#options
    const whole = await this.#compaction.whole()
    if (!whole) return []
    if (whole.joined)
      await objects.put(
        compactedKey(prefix, whole.from, whole.to),
        await compress(await decompress(whole.body)),
      )
    return parseJournalLines(whole.body)
  }

  /** Retries as a segment's creation does, because the segment must not be committed without its records. */
  async #writeTokens(header: SegmentRecord, records: readonly TokenRecord[]): Promise<void> {
    if (this.#tokens === null) throw new Error('This journal has no place for token records.')
    const body = await this.#tokens.pack(records)
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#tokens.put(header, body)
      } catch (error) {
        if (attempt === 5) throw error
        await this.#options.clock.sleep(10 * 4 ** attempt)
      }
    }
  }

  async #create(key: string, body: Uint8Array): Promise<void> {
    const { objects, clock } = this.#options
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { written } = await objects.put(key, body, { if_none_match: '*' })
        if (written || (await this.#isOurs(key))) return
        throw new JournalFencedError(key)
      } catch (error) {
        if (error instanceof JournalFencedError || attempt === 5) throw error
        await clock.sleep(10 * 4 ** attempt)
      }
    }
  }

  async #isOurs(key: string): Promise<boolean> {
    const [header] = await parseJournalLines(await readObject(this.#options.objects, key))
    return header !== undefined && 'segment' in header && header.writer === this.#options.writer
  }
}

interface Stretch extends StoredRange {
  body?: Uint8Array
}
