import type { TokenRecord } from '../../contracts/token-record.ts'
import type { Objects } from '../../world/ports.ts'
import { digest } from '../digest.ts'
import { compress, decompress } from '../gzip.ts'
import type { JournalRecord, SegmentRecord } from '../journal-record.ts'
import { readObject } from '../read-object.ts'
import { TokenPacker, unpackTokens } from './pack-tokens.ts'

// Objects read at once.
const readTogether = 32

/**
 * Writes the token records of one writer beside its journal, an object a segment. The object is stored before its
 * segment and named after the segment's number and writer. So a record counts exactly if its segment was committed,
 * and a worker that was overtaken or killed leaves at most an object that no segment names.
 */
export class TokenLog {
  readonly #objects: Pick<Objects, 'get' | 'list' | 'put'>
  readonly #prefix: string
  readonly #packer = new TokenPacker()

  constructor(objects: Pick<Objects, 'get' | 'list' | 'put'>, prefix: string) {
    this.#objects = objects
    this.#prefix = prefix
  }

  pack(records: readonly TokenRecord[]): Promise<Uint8Array> {
    return compress(records.map((record) => `${JSON.stringify(this.#packer.pack(record))}\n`).join(''))
  }

  async sequence(call: string, answer: number, segments: readonly SegmentRecord[]): Promise<number[] | null> {
    const kept = this.#packer.find(call, answer)
    if (kept !== null) return kept
    const record = (await readTokens(this.#objects, this.#prefix, segments)).find(
      (each) => each.call === call,
    )
    const [prompt, ids] = [record?.prompt_ids ?? null, record?.answers[answer]?.ids ?? null]
    if (record === undefined || prompt === null || ids === null) return null
    this.#packer.keep(record)
    return [...prompt, ...ids]
  }

  async put(segment: Pick<SegmentRecord, 'segment' | 'writer'>, body: Uint8Array): Promise<void> {
    await this.#objects.put(keyOf(this.#prefix, segment), body)
  }
}

export async function readTokens(
  objects: Pick<Objects, 'get' | 'list'>,
  prefix: string,
  records: readonly JournalRecord[],
): Promise<TokenRecord[]> {
  const stored = new Set<string>()
  for (let more = true; more; ) {
    const after = [...stored].at(-1)
    const page = await objects.list(prefix, { ...(after !== undefined && { after }), limit: 1000 })
    for (const { key } of page.objects) stored.add(key)
    more = page.more
  }
  const keys = records
    .filter((record) => 'segment' in record)
    .map((segment) => keyOf(prefix, segment))
    .filter((key) => stored.has(key))
  const lines: unknown[] = []
  for (let start = 0; start < keys.length; start += readTogether) {
    const bodies = keys.slice(start, start + readTogether).map((key) => readObject(objects, key))
    for (const body of await Promise.all(bodies)) lines.push(...(await linesOf(body)))
  }
  return unpackTokens(lines)
}

async function linesOf(body: Uint8Array): Promise<unknown[]> {
  const lines = (await decompress(body)).toString('utf8').split('\n')
  return lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line))
}

function keyOf(prefix: string, { segment, writer }: Pick<SegmentRecord, 'segment' | 'writer'>): string {
  return `${prefix}${String(segment).padStart(6, '0')}-${digest(writer)}.jsonl.gz`
}
