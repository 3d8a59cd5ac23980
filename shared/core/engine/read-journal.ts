import type { Objects } from '../world/ports.ts'
import { decompress } from './gzip.ts'
import { planReading, type StoredRange } from './journal-keys.ts'
import type { JournalRecord } from './journal-record.ts'
import { readObject } from './read-object.ts'

export interface CommittedJournal {
  ranges: StoredRange[]
  records: JournalRecord[]
}

export async function readJournal(objects: Objects, prefix: string): Promise<CommittedJournal> {
  const ranges = await listRanges(objects, prefix)
  const parts = await Promise.all(
    ranges.map(async ({ key }) => parseJournalLines(await readObject(objects, key))),
  )
  return { ranges, records: parts.flat() }
}

export async function countSegments(objects: Objects, prefix: string): Promise<number> {
  return (await listRanges(objects, prefix)).at(-1)?.to ?? 0
}

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

export async function parseJournalLines(body: Uint8Array): Promise<JournalRecord[]> {
  const lines = (await decompress(body)).toString('utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as JournalRecord)
}
