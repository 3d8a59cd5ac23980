import type { Clock, Objects } from '../../world/ports.ts'
import { readObject } from '../read-object.ts'
import { encodeLogObject, type LogIndex, type LogPlace, type LogTail, logKey } from './log-format.ts'

export interface WorkerLogOptions {
  objects: Pick<Objects, 'get' | 'put'>
  clock: Pick<Clock, 'sleep'>
  prefix: string
  /** Milliseconds that a segment waits for those of other journals at most. */
  groupFor: number
}

export interface SegmentToLog {
  journal: string
  writer: string
  segment: number
  body: Uint8Array
}

interface Waiting extends SegmentToLog {
  taken: (isTaken: boolean) => void
  failed: (error: unknown) => void
}

/**
 * Commits the segments of many journals together: one object for all that came within a moment. Objects have numbers
 * and are created with If-None-Match, so that the next writer of a journal ends the log first ({@link sealLog}).
 */
export class WorkerLog {
  readonly #options: WorkerLogOptions
  readonly #tails = new Map<string, LogTail>()
  #waiting: Waiting[] = []
  #journals = 0
  #number = 0
  #isWriting = false
  #isOver = false
  #timer: NodeJS.Timeout | null = null

  constructor(options: WorkerLogOptions) {
    this.#options = options
  }

  get prefix(): string {
    return this.#options.prefix
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get isUnused(): boolean {
    return this.#journals === 0
  }

  enter(): void {
    this.#journals += 1
  }

  leave(): void {
    this.#journals -= 1
    this.#plan()
  }

  /**
   * Commits a segment with those of other journals, at once if every journal of the log waits.
   * @returns false if it was not committed, and never will be: the log is over
   * @throws the storage's error; the segment may be committed nevertheless, or be found so later
   */
  append(segment: SegmentToLog): Promise<boolean> {
    if (this.#isOver) return Promise.resolve(false)
    return new Promise((taken, failed) => {
      this.#waiting.push({ ...segment, taken, failed })
      this.#plan()
    })
  }

  /** Notes that all segments of a journal are in an object of its own. */
  flushed(journal: string): void {
    this.#tails.delete(journal)
  }

  #plan(): void {
    if (this.#isWriting || this.#waiting.length === 0) return
    if (this.#waiting.length < this.#journals) {
      this.#timer ??= setTimeout(() => this.#begin(), this.#options.groupFor)
    } else {
      // Those that come in this turn still join.
      if (this.#timer !== null) clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#begin(), 0)
    }
  }

  #begin(): void {
    this.#timer = null
    this.#isWriting = true
    void this.#write()
  }

  async #write(): Promise<void> {
    const batch = this.#waiting.splice(0)
    const number = this.#number + 1
    try {
      const tails = this.#tailsWith(batch, number)
      const index: LogIndex = { tails: Object.fromEntries([...this.#tails, ...tails]) }
      const body = await encodeLogObject(
        batch.map((segment) => segment.body),
        index,
      )
      if (await this.#create(logKey(this.#options.prefix, number), body)) {
        this.#number = number
        for (const [journal, tail] of tails) this.#tails.set(journal, tail)
        for (const { taken } of batch) taken(true)
      } else this.#end(batch)
    } catch (error) {
      // The object may appear yet. So nothing follows it.
      this.#end([])
      for (const { failed } of batch) failed(error)
    }
    this.#isWriting = false
    this.#plan()
  }

  #end(batch: readonly Waiting[]): void {
    this.#isOver = true
    for (const { taken } of [...batch, ...this.#waiting.splice(0)]) taken(false)
  }

  #tailsWith(batch: readonly Waiting[], number: number): Map<string, LogTail> {
    const tails = new Map<string, LogTail>()
    let start = 0
    for (const { journal, writer, segment, body } of batch) {
      const place: LogPlace = [number, start, body.byteLength]
      start += body.byteLength
      const before = this.#tails.get(journal)
      const isContinued = before?.writer === writer
      tails.set(journal, {
        writer,
        from: isContinued ? before.from : segment,
        places: isContinued ? [...before.places, place] : [place],
      })
    }
    return tails
  }

  // If the answer is lost on the way, the object is compared: it may be another's seal.
  async #create(key: string, body: Uint8Array): Promise<boolean> {
    const { objects, clock } = this.#options
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { written } = await objects.put(key, body, { if_none_match: '*' })
        return written || Buffer.compare(await readObject(objects, key), body) === 0
      } catch (error) {
        if (attempt === 5) throw error
        await clock.sleep(10 * 4 ** attempt)
      }
    }
  }
}
