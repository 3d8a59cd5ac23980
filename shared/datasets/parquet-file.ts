import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { z } from 'zod'
import { datasetRowSchema, type RowType } from '../contracts/dataset-row.ts'
import { packFile } from './gzip-lines.ts'
import { parquetColumns, parquetSchema } from './parquet-columns.ts'
import type { RowFile } from './row-file.ts'

/** Text that a row group holds: what memory keeps of the rows before they are packed. */
const groupText = 8 * 1024 * 1024

const types = datasetRowSchema.options.map((option) => option.shape.type.value)
const rowSchema = z.looseObject({ type: z.enum(types) })
type Row = z.infer<typeof rowSchema>

/**
 * A Parquet file of canonical rows, all of one type: lists and structs as Parquet has them, Snappy, no time and no machine in
 * it. Rows are packed group by group, so that memory holds the packed file and the rows of one group.
 */
export function openParquetFile(): RowFile {
  let bytes = new ByteWriter()
  let open: { type: RowType; writer: ParquetWriter } | null = null
  let group: Row[] = []
  let length = 0

  function opened(type: RowType): { type: RowType; writer: ParquetWriter } {
    // Least and greatest of a text serve no reader, and take a third of the time.
    open ??= {
      type,
      writer: new ParquetWriter({ writer: bytes, schema: parquetSchema(type), statistics: false }),
    }
    if (open.type === type) return open
    throw new Error(`A Parquet file of rows of the type "${open.type}" got one of the type "${type}".`)
  }

  async function writeGroup(): Promise<void> {
    if (open === null || group.length === 0) return
    const rows = group
    group = []
    length = 0
    const columnData = parquetColumns(open.type).map((name) => ({ name, data: rows.map((row) => row[name]) }))
    await open.writer.write({ columnData, rowGroupSize: rows.length })
  }

  return {
    async add(text) {
      const row = rowSchema.parse(JSON.parse(text))
      opened(row.type)
      group.push(row)
      length += text.length
      if (length >= groupText) await writeGroup()
    },
    async end() {
      if (open === null) throw new Error('A Parquet file without rows has no columns.')
      await writeGroup()
      await open.writer.finish()
      return packFile(bytes.getBytes())
    },
    discard() {
      bytes = new ByteWriter()
      group = []
    },
  }
}
