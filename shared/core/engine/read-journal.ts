import { isDamage } from '../world/damage-book.ts'
import type { Objects } from '../world/ports.ts'
import { decompress } from './gzip.ts'
import { planReading, type StoredRange } from './journal-keys.ts'
import type { JournalRecord, SegmentRecord } from './journal-record.ts'
import type { LogIndex } from './log/log-format.ts'
import { lastInTail, readLog, readLogged, toJournalRecords } from './log/read-log.ts'
import { readObject } from './read-object.ts'

export interface CommittedJournal {
  ranges: StoredRange[]
  // Bodies of the last segments, which are in a log and in no object of the journal.
  tail: Uint8Array[]
  records: JournalRecord[]
}

/**
 * Reads a journal: its objects, and if the last segment names a log, what follows there.
 * @param lookAt - reads a log's index. @default without ending the log
 */
export async function readJournal(
  objects: Objects,
  prefix: string,
  lookAt: (log: string) => Promise<LogIndex> = (log) => readLog(objects, log),
): Promise<CommittedJournal> {
  for (;;) {
    const ranges = await listRanges(objects, prefix)
    const parts = await Promise.all(
      ranges.map(async ({ key }) => parseJournalLines(await readObject(objects, key))),
    )
    const records = parts.flat()
    const last = lastSegment(records)
    if (!isLogged(last)) return { ranges, records, tail: [] }
    const { tails } = await lookAt(last.log)
    // Segments may have left the log for objects of the journal since the objects were listed.
    if (await hasChanged(objects, prefix, ranges)) continue
    const tail = await readLogged(objects, last, tails[prefix])
    return {
      ranges,
      records: [...records, ...tail.flatMap((segment) => segment.records)],
      tail: tail.map(({ body }) => body),
    }
  }
}

/** True if a journal has more than `count` segments. It reads one object of the journal at most. */
export async function hasMoreSegments(objects: Objects, prefix: string, count: number): Promise<boolean> {
  for (;;) {
    const ranges = await listRanges(objects, prefix)
    const range = ranges.at(-1)
    if (range === undefined) return false
    if (range.to > count) return true
    try {
      const last = lastSegment(await parseJournalLines(await readObject(objects, range.key)))
      if (!isLogged(last)) return false
      const { tails } = await readLog(objects, last.log)
      if (lastInTail(last, tails[prefix]) > count) return true
    } catch (error) {
      if (isDamage(error)) return false
      throw error
    }
    if (!(await hasChanged(objects, prefix, ranges))) return false
  }
}

export function firstSegments(records: readonly JournalRecord[], count: number): JournalRecord[] {
  const end = records.findIndex((record) => 'segment' in record && record.segment > count)
  return end < 0 ? [...records] : records.slice(0, end)
}

export function lastSegment(records: readonly JournalRecord[]): SegmentRecord | undefined {
  return records.findLast((record) => 'segment' in record)
}

export async function parseJournalLines(body: Uint8Array): Promise<JournalRecord[]> {
  return toJournalRecords((await decompress(body)).toString('utf8'))
}

function isLogged(last: SegmentRecord | undefined): last is SegmentRecord & { log: string } {
  return last?.log !== undefined
}

async function hasChanged(
  objects: Objects,
  prefix: string,
  ranges: readonly StoredRange[],
): Promise<boolean> {
  const now = await listRanges(objects, prefix)
  return now.map(({ key }) => key).join() !== ranges.map(({ key }) => key).join()
}

async function listRanges(objects: Objects, prefix: string): Promise<StoredRange[]> {
  const keys: string[] = []
  for (let more = true; more; ) {
    const after = keys.at(-1)
    const page = await objects.list(prefix, { ...(after !== undefined && { after }), limit: 1000 })
    keys.push(...page.objects.map((object) => object.key))
    more = page.more
  }
  return planReading(prefix, keys)
}
