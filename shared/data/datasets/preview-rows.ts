import {
  type DatasetFile,
  type DatasetFormatId,
  type DatasetPreviewRow,
  lineageRowSchema,
} from '../../core/contracts/dataset.ts'
import { type JsonObject, jsonObjectSchema } from '../../core/contracts/json.ts'
import { type List, toList } from '../../core/contracts/list.ts'
import type { Objects } from '../../core/world/ports.ts'
import { cutParts } from './cut-parts.ts'
import { missingRows } from './missing-file.ts'
import { namePictures, signPictures } from './preview/shown-pictures.ts'
import { readStoredLines } from './read-stored-lines.ts'
import { splitShards } from './split-shards.ts'

type StoredFile = DatasetFile & { key: string }

export interface RowQuery {
  /** Default: `train`, else the first; rows of a dataset without splits are `train`. */
  split?: string | undefined
  limit: number
  after?: number | undefined
}

/** Maximum bytes of rows on a page, unless one row alone has more. */
const pageBytes = 4_000_000

/**
 * Rows of one split as their files hold them and as their trainer sees them, each with its lineage. Reads files from
 * their beginning only to the end of the page (of Parquet: its row groups), so that the first pages cost little
 * however large the dataset is. If rows are long, a page has fewer than requested.
 *
 * @throws EspalierError `invalid_request` for an unknown split
 */
export async function previewRows(
  objects: Pick<Objects, 'get' | 'sign'>,
  dataset: { format: DatasetFormatId; files: readonly StoredFile[] },
  query: RowQuery,
): Promise<List<DatasetPreviewRow>> {
  // Formats and file readers are imported here, not at each start.
  const { findFormat } = await import('../formats/formats.ts')
  const format = findFormat(dataset.format)
  const first = (query.after ?? -1) + 1
  const rows: DatasetPreviewRow[] = []
  let before = 0
  let left = pageBytes
  for (const { data: file, lineage } of splitShards(dataset.files, query.split)) {
    const count = file.rows ?? 0
    const skip = Math.max(0, first - before)
    const take = left > 0 ? Math.min(count - skip, query.limit - rows.length) : 0
    if (take > 0) {
      const [written, origins] = await Promise.all([
        readData(objects, file, { skip, take }),
        readStoredLines(objects, lineage, { skip, take }),
      ])
      if (written.length === 0) throw missingRows(file.key, skip)
      for (const [index, asWritten] of written.entries()) {
        const data = namePictures(asWritten)
        const line = origins[index]
        if (line === undefined) throw missingRows(lineage.key, skip + index)
        const origin = lineageRowSchema.parse(JSON.parse(line))
        const row: DatasetPreviewRow = {
          id: String(before + skip + index),
          object: 'dataset_row',
          data,
          parts: await signPictures(objects, cutParts(format.show(data, origin.kind))),
          lineage: origin,
        }
        left -= Buffer.byteLength(JSON.stringify(row))
        if (left < 0 && rows.length > 0) break
        rows.push(row)
      }
      // Rows of the next file would leave a gap after these.
      if (written.length < take) left = 0
    }
    before += count
  }
  return toList(rows, first + rows.length < before)
}

async function readData(
  objects: Pick<Objects, 'get'>,
  file: StoredFile,
  { skip, take }: { skip: number; take: number },
): Promise<JsonObject[]> {
  if (file.name.endsWith('.parquet')) {
    const { readParquetRows } = await import('./read-parquet-rows.ts')
    return readParquetRows(objects, file, { skip, take })
  }
  // A list begins with a line of its own.
  const lines = await readStoredLines(objects, file, {
    skip: file.name.endsWith('.json.gz') ? skip + 1 : skip,
    take,
    most: pageBytes,
  })
  return lines.map((line) => jsonObjectSchema.parse(JSON.parse(line.replace(/,$/, ''))))
}
