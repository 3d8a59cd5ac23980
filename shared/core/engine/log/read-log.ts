import type { Objects } from '../../world/ports.ts'
import type { JournalRecord, SegmentRecord } from '../journal-record.ts'
import {
  damagedLog,
  encodeLogObject,
  type LogIndex,
  type LogPlace,
  type LogTail,
  logKey,
  numberOfLogKey,
  readLogIndex,
  unpackLogged,
} from './log-format.ts'

export interface LoggedSegment {
  body: Uint8Array
  records: JournalRecord[]
}

export async function readLog(objects: Pick<Objects, 'get' | 'list'>, log: string): Promise<LogIndex> {
  return (await readLast(objects, log)).index
}

/**
 * Ends a log, so that its writer can add nothing. Of several calls all return the same tails.
 * @returns the tails, which are final
 */
export async function sealLog(
  objects: Pick<Objects, 'get' | 'list' | 'put'>,
  log: string,
): Promise<LogIndex> {
  for (;;) {
    const { number, index } = await readLast(objects, log)
    if (index.sealed === true) return index
    const body = await encodeLogObject([], { ...index, sealed: true })
    const { written } = await objects.put(logKey(log, number + 1), body, { if_none_match: '*' })
    if (written) return index
  }
}

/** The segments of a tail that follow `last`, which names the log. */
export async function readLogged(
  objects: Pick<Objects, 'get'>,
  last: SegmentRecord & { log: string },
  tail: LogTail | undefined,
): Promise<LoggedSegment[]> {
  const first = last.segment + 1
  const places = placesAfter(last, tail)
  return Promise.all(
    places.map(async ([object, start, length], index) => {
      const key = logKey(last.log, object)
      const found = await objects.get(key, { start, end: start + length - 1 })
      if (found === null) throw new Error(`The object ${key} is missing.`)
      const text = (await unpackLogged(key, found.body)).toString('utf8')
      const records = toJournalRecords(text)
      const [header] = records
      const isExpected = header !== undefined && 'segment' in header && header.writer === last.writer
      if (!isExpected || header.segment !== first + index) throw damagedLog(key)
      return { body: found.body, records }
    }),
  )
}

export function lastInTail(last: SegmentRecord, tail: LogTail | undefined): number {
  return last.segment + placesAfter(last, tail).length
}

// None if segments between are missing: a backup has the log, and the journal of a moment before.
function placesAfter({ segment, writer }: SegmentRecord, tail: LogTail | undefined): LogPlace[] {
  if (tail?.writer !== writer || tail.from > segment + 1) return []
  return tail.places.slice(segment + 1 - tail.from)
}

export function toJournalRecords(text: string): JournalRecord[] {
  const lines = text.split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JournalRecord)
}

async function readLast(
  objects: Pick<Objects, 'get' | 'list'>,
  log: string,
): Promise<{ number: number; index: LogIndex }> {
  const [last] = (await objects.list(log, { limit: 1 })).objects
  if (last === undefined) return { number: 0, index: { tails: {} } }
  return { number: numberOfLogKey(log, last.key), index: await readLogIndex(objects, last.key) }
}
