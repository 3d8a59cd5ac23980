import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type DatasetFile, type DatasetPreviewRow, lineageRowSchema } from '../contracts/dataset.ts'
import { EspalierError } from '../contracts/errors.ts'
import { jsonObjectSchema } from '../contracts/json.ts'
import { type List, toList } from '../contracts/list.ts'
import type { Objects } from '../world/ports.ts'

type StoredFile = DatasetFile & { key: string }

/** Bytes that are fetched at once: the first of a hundred usual rows and more. */
const chunkBytes = 256 * 1024
/** Characters of rows on a page, unless one row alone has more: a Lambda function answers with six megabytes at most. */
const pageText = 2_000_000

/**
 * Rows of one split as their files hold them, each with its lineage. Files are read from their beginning as far as the page
 * goes and no further, so that the first pages cost little however large the dataset is. Where rows are long a page has fewer
 * of them than asked for.
 *
 * @param query.split - without: `train`, else the first; rows of a dataset without splits are `train`
 * @param query.after - the number of a row; the page begins with the next
 * @throws EspalierError `invalid_request` for a split that is not there, and for files that are not lines
 */
export async function previewRows(
  objects: Pick<Objects, 'get'>,
  files: readonly StoredFile[],
  query: { split?: string | undefined; limit: number; after?: number | undefined },
): Promise<List<DatasetPreviewRow>> {
  const shards = shardsOf(files, query.split)
  const first = (query.after ?? -1) + 1
  const rows: DatasetPreviewRow[] = []
  let before = 0
  let left = pageText
  for (const { data, lineage } of shards) {
    const count = data.rows ?? 0
    const skip = Math.max(0, first - before)
    const take = left > 0 ? Math.min(count - skip, query.limit - rows.length) : 0
    if (take > 0) {
      const [written, origins] = await Promise.all([
        // A list begins with a line of its own.
        readLines(objects, data, { skip: data.name.endsWith('.json.gz') ? skip + 1 : skip, take }),
        readLines(objects, lineage, { skip, take }),
      ])
      for (const [index, line] of written.entries()) {
        if (left <= 0) break
        left -= line.length
        rows.push({
          id: String(before + skip + index),
          object: 'dataset_row',
          data: jsonObjectSchema.parse(JSON.parse(line.replace(/,$/, ''))),
          lineage: lineageRowSchema.parse(JSON.parse(origins[index] ?? '')),
        })
      }
    }
    before += count
  }
  return toList(rows, first + rows.length < before)
}

function shardsOf(
  files: readonly StoredFile[],
  wanted: string | undefined,
): { data: StoredFile; lineage: StoredFile }[] {
  const names = new Set(
    files.flatMap(({ name, rows }) =>
      rows === null ? [] : (/^(?!lineage-)(.+)-\d{5}\./.exec(name)?.[1] ?? []),
    ),
  )
  // A dataset without splits names its files `data`, and all its rows are `train`.
  const splits = new Map([...names].map((name) => [name === 'data' ? 'train' : name, name]))
  const [first] = splits.keys()
  if (first === undefined) return []
  const split = splits.get(wanted ?? (splits.has('train') ? 'train' : first))
  if (split === undefined) {
    throw new EspalierError(
      'invalid_request',
      `There is no split "${wanted}" in the dataset. Choose from: ${[...splits.keys()].join(', ')}.`,
      { param: 'split' },
    )
  }
  const byName = new Map(files.map((file) => [file.name, file]))
  const lineageName = (number: string) =>
    split === 'data' ? `lineage-${number}.jsonl.gz` : `lineage-${split}-${number}.jsonl.gz`
  return files.flatMap((data) => {
    const [, name, number = '', container] = /^(.+)-(\d{5})\.(.+)$/.exec(data.name) ?? []
    if (name !== split) return []
    if (container !== 'jsonl.gz' && container !== 'json.gz') throw notLines(data.name)
    const lineage = byName.get(lineageName(number))
    return lineage === undefined ? [] : [{ data, lineage }]
  })
}

function notLines(name: string): EspalierError {
  return new EspalierError(
    'invalid_request',
    `${name} is not made of lines, so its rows are not shown one by one. Download it: GET /v1/datasets/{dataset}/files.`,
    { param: 'dataset' },
  )
}

async function readLines(
  objects: Pick<Objects, 'get'>,
  file: StoredFile,
  { skip, take }: { skip: number; take: number },
): Promise<string[]> {
  const source = Readable.from(chunksOf(objects, file))
  const unpacked = createGunzip()
  source.once('error', (error) => unpacked.destroy(error))
  source.pipe(unpacked)
  const lines: string[] = []
  let number = 0
  let rest = ''
  try {
    unpacked.setEncoding('utf8')
    for await (const text of unpacked) {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) {
        if (number >= skip && lines.length < take) lines.push(line)
        number += 1
      }
      if (lines.length === take) break
    }
  } finally {
    source.destroy()
    unpacked.destroy()
  }
  return lines
}

async function* chunksOf(
  objects: Pick<Objects, 'get'>,
  { key, bytes }: StoredFile,
): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes; start += chunkBytes) {
    const object = await objects.get(key, { start, end: start + chunkBytes - 1 })
    if (object === null) {
      throw new EspalierError('storage_failed', `The file ${key} is missing. Build the dataset again.`)
    }
    yield object.body
  }
}
