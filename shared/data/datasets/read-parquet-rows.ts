import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { z } from 'zod'
import { type JsonObject, jsonObjectSchema } from '../../core/contracts/json.ts'
import type { Objects } from '../../core/world/ports.ts'
import { missingFile } from './missing-file.ts'
import { imagesColumn } from './parquet-columns.ts'

/**
 * Maximum bytes of uncompressed row groups to read together, unless the first alone has more: a group has eight
 * megabytes of text.
 */
const mostBytes = 32_000_000

/**
 * Reads some rows of a stored Parquet file. Fetches only its footer and the row groups of these rows. If these groups
 * are large, returns fewer rows than requested.
 */
export async function readParquetRows(
  objects: Pick<Objects, 'get'>,
  { key, bytes }: { key: string; bytes: number },
  { skip, take }: { skip: number; take: number },
): Promise<JsonObject[]> {
  const file = {
    byteLength: bytes,
    async slice(start: number, end: number = bytes): Promise<ArrayBuffer> {
      const object = await objects.get(key, { start, end: end - 1 })
      if (object === null) throw missingFile(key)
      return new Uint8Array(object.body).buffer
    },
  }
  const metadata = await parquetMetadataAsync(file)
  const rowEnd = Math.min(skip + take, endOfGroups(metadata.row_groups, skip))
  const rows = await parquetReadObjects({ file, metadata, rowStart: skip, rowEnd })
  return rows.map((row) => jsonObjectSchema.parse(withNames(row)))
}

function endOfGroups(
  groups: readonly { num_rows: bigint; total_byte_size: bigint }[],
  first: number,
): number {
  let end = 0
  let bytes = 0
  for (const { num_rows, total_byte_size } of groups) {
    const start = end
    if (start + Number(num_rows) > first) {
      bytes += Number(total_byte_size)
      if (start > first && bytes > mostBytes) return end
    }
    end += Number(num_rows)
  }
  return end
}

function withNames(row: Record<string, unknown>): Record<string, unknown> {
  if (!(imagesColumn in row)) return row
  const images = z.array(z.object({ path: z.string() })).parse(row[imagesColumn])
  return { ...row, [imagesColumn]: images.map(({ path }) => path) }
}
