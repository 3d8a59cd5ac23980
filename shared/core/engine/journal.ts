import type { TokenRecord } from '../contracts/token-record.ts'
import type { Clock, Objects } from '../world/ports.ts'
import { Compaction } from './compaction.ts'
import { compress, decompress, wrap } from './gzip.ts'
import { JournalFencedError } from './journal-fenced-error.ts'
import { compactedKey, segmentKey } from './journal-keys.ts'
import type { JournalRecord, SegmentRecord, SegmentTiming } from './journal-record.ts'
import { sealLog } from './log/read-log.ts'
import type { WorkerLog } from './log/worker-log.ts'
import { type CommittedJournal, lastSegment, parseJournalLines, readJournal } from './read-journal.ts'
import { readObject } from './read-object.ts'
import { TokenLog } from './tokens/token-log.ts'

export interface JournalOptions {
  objects: Objects
  clock: Clock
  prefix: string
  /** The prefix of token records. @default none can be appended */
  tokens?: string
  /** Unique to this writer, also among the same worker's earlier openings. */
  writer: string
  code: string
  /** The log that the journals of a run share. @default none: every segment is an object of its own */
  log?: () => WorkerLog
}

// Segments, and bytes, of a journal that stay in the log alone.
const mostInTail = 32
const mostTailBytes = 1024 * 1024

/**
 * An episode's memory: numbered segments, each created once with If-None-Match. If two workers race to create the
 * same number, one wins and the other gets {@link JournalFencedError}. Larger objects that hold many segments each
 * are written beside them ({@link Compaction}); the single segments stay, because they are the fence.
 *
 * With a log, the segments that follow the writer's first are committed there. Who comes next ends the log, copies
 * them, and creates the number after the last: so does the writer, in {@link close}.
 */
export class Journal {
  readonly committed: CommittedJournal
  readonly #options: JournalOptions
  readonly #compaction: Compaction
  readonly #tokens: TokenLog | null
  readonly #headers: SegmentRecord[]
  #segments: number
  #elapsed: number
  #log: WorkerLog | null = null
  // Committed to the log, and in no object of the journal.
  #tail: Uint8Array[] = []
  #isBroken = false

  private constructor(options: JournalOptions, committed: CommittedJournal, compaction: Compaction) {
    this.committed = committed
    this.#options = options
    this.#compaction = compaction
    this.#tokens = options.tokens === undefined ? null : new TokenLog(options.objects, options.tokens)
    this.#headers = committed.records.filter((record) => 'segment' in record)
    const last = lastSegment(committed.records)
    this.#segments = last?.segment ?? 0
    this.#elapsed = last?.elapsed ?? 0
    this.#tail = committed.tail
  }

  static async open(options: JournalOptions): Promise<Journal> {
    const { objects, prefix } = options
    const committed = await readJournal(objects, prefix, (log) => sealLog(objects, log))
    const compaction = new Compaction(objects, prefix)
    for (const range of committed.ranges) await compaction.add(range)
    const journal = new Journal(options, committed, compaction)
    await journal.#flush()
    return journal
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
    if (this.#isBroken) throw new Error('This journal is read anew after an error before more is written.')
    try {
      const moment = { ...this.#moment(elapsed), ...(timing && { timing }) }
      if (tokens.length > 0) await this.#writeTokens(this.#header(moment), tokens)
      return (await this.#appendToLog(lines, moment)) ?? (await this.#createNext(lines, moment))
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  /**
   * Leaves the log, so that the next writer need not end it. After an error of {@link append} it only forgets the log:
   * a segment may be there that this writer does not know of.
   * @param timing - since the last commit began. @default none
   * @throws JournalFencedError if another has begun to write
   */
  async close(timing: SegmentTiming = { passed: 0, effects: [] }): Promise<void> {
    const log = this.#log
    if (log === null) return
    try {
      if (this.#isBroken) return
      await this.#flush()
      this.#log = null
      await this.#create([], this.#header({ ...this.#moment(this.#elapsed), timing }))
    } finally {
      this.#log = null
      log.leave()
    }
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
    const tokens = this.#tokens
    const body = await tokens.pack(records)
    await this.#retried(() => tokens.put(header, body))
  }

  // Null if the log takes nothing more, and this journal has left it.
  async #appendToLog(lines: JournalRecord[], moment: Moment): Promise<SegmentRecord | null> {
    const log = this.#log
    if (log === null) return null
    const { prefix: journal, writer } = this.#options
    const header = this.#header(moment, log)
    const body = await pack(header, lines)
    if (await log.append({ journal, writer, segment: header.segment, body })) {
      this.#tail.push(body)
      this.#note(header)
      const bytes = this.#tail.reduce((all, { byteLength }) => all + byteLength, 0)
      if (this.#tail.length >= mostInTail || bytes >= mostTailBytes) await this.#flush()
      return header
    }
    await this.#flush()
    this.#log = null
    log.leave()
    return null
  }

  async #createNext(lines: JournalRecord[], moment: Moment): Promise<SegmentRecord> {
    const log = this.#options.log?.() ?? null
    log?.enter()
    try {
      const header = await this.#create(lines, this.#header(moment, log))
      this.#log = log
      return header
    } catch (error) {
      log?.leave()
      throw error
    }
  }

  // Copies the segments that are in the log alone into an object of the journal, which is the same of each writer.
  async #flush(): Promise<void> {
    if (this.#tail.length === 0) return
    const { objects, prefix } = this.#options
    const range = { from: this.#segments - this.#tail.length + 1, to: this.#segments }
    const key = compactedKey(prefix, range.from, range.to)
    await this.#retried(() => objects.put(key, Buffer.concat(this.#tail)))
    this.#tail = []
    this.#log?.flushed(prefix)
    await this.#compaction.add({ key, ...range })
  }

  #moment(elapsed: number): Moment {
    const at = new Date(this.#options.clock.now()).toISOString()
    return { at, elapsed: Math.round(elapsed * 1000) / 1000 }
  }

  #header(moment: Moment, log: WorkerLog | null = null): SegmentRecord {
    const { code, writer } = this.#options
    return { segment: this.#segments + 1, writer, code, ...moment, ...(log !== null && { log: log.prefix }) }
  }

  #note(header: SegmentRecord): void {
    this.#segments = header.segment
    this.#headers.push(header)
    this.#elapsed = header.elapsed
  }

  async #create(lines: JournalRecord[], header: SegmentRecord): Promise<SegmentRecord> {
    const { objects, prefix } = this.#options
    const key = segmentKey(prefix, header.segment)
    const body = await pack(header, lines)
    await this.#retried(async () => {
      const { written } = await objects.put(key, body, { if_none_match: '*' })
      if (!written && !(await this.#isOurs(key))) throw new JournalFencedError(key)
    })
    this.#note(header)
    await this.#compaction.add({ key, from: header.segment, to: header.segment, body })
    return header
  }

  async #retried(write: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await write()
        return
      } catch (error) {
        if (error instanceof JournalFencedError || attempt === 5) throw error
        await this.#options.clock.sleep(10 * 4 ** attempt)
      }
    }
  }

  async #isOurs(key: string): Promise<boolean> {
    const [header] = await parseJournalLines(await readObject(this.#options.objects, key))
    return header !== undefined && 'segment' in header && header.writer === this.#options.writer
  }
}

type Moment = Pick<SegmentRecord, 'at' | 'elapsed' | 'timing'>

function pack(header: SegmentRecord, lines: readonly JournalRecord[]): Promise<Uint8Array> {
  return wrap([header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
}
