import type { Objects } from '../world/ports.ts'
import { decompress } from './gzip.ts'
import { planReading, type StoredRange } from './journal-keys.ts'
import type { JournalRecord } from './journal-record.ts'
import { readObject } from './read-object.ts'

export interface CommittedJournal {
  /** The objects that were read, in order. */
  ranges: StoredRange[]
  records: JournalRecord[]
}

/** Everything a journal holds at this moment, in as few reads as its compaction allows. */
export async function readJournal(objects: Objects, prefix: string): Promise<CommittedJournal> {
  const ranges = await listRanges(objects, prefix)
  const parts = await Promise.all(
    ranges.map(async ({ key }) => parseJournalLines(await readObject(objects, key))),
  )
  return { ranges, records: parts.flat() }
}

/** How many segments a journal holds at this moment, without reading them. */
export async function countSegments(objects: Objects, prefix: string): Promise<number> {
  return (await listRanges(objects, prefix)).at(-1)?.to ?? 0
}

/** The records of a journal's first segments. */
export function firstSegments(records: readonly JournalRecord[], count: number): JournalRecord[] {
  const end = records.findIndex((record) => 'segment' in record && record.segment > count)
  return end < 0 ? [...records] : records.slice(0, end)
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

/** The lines of one or more segments, compressed as they are stored. */
export async function parseJournalLines(body: Uint8Array): Promise<JournalRecord[]> {
  const lines = (await decompress(body)).toString('utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JournalRecord)
}
