import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { z } from 'zod'
import { datasetRowSchema, type RowType } from '../../core/contracts/dataset-row.ts'
import { packFile } from './gzip-lines.ts'
import { imagesColumn, imagesMetadata, parquetColumns, parquetSchema } from './parquet-columns.ts'
import { bytesOf, noPictures, type RowFile, type RowPictures } from './row-file.ts'

/** Bytes of text and pictures in a row group, which bounds the rows in memory before compression. */
const groupText = 8 * 1024 * 1024

const types = datasetRowSchema.options.map((option) => option.shape.type.value)
const rowSchema = z.looseObject({ type: z.enum(types) })
type Row = z.infer<typeof rowSchema>

/**
 * A Parquet file of canonical rows, all of one type: lists and structs as Parquet has them, Snappy, no time and no
 * machine in it. Rows are compressed group by group, so that memory holds the compressed file and the rows of one
 * group.
 */
export function openParquetFile(isPictured = false): RowFile {
  let bytes = new ByteWriter()
  let open: { type: RowType; writer: ParquetWriter } | null = null
  let group: Row[] = []
  let length = 0

  function opened(type: RowType): { type: RowType; writer: ParquetWriter } {
    // Minimum and maximum of a text serve no reader, and take a third of the time.
    open ??= {
      type,
      writer: new ParquetWriter({
        writer: bytes,
        schema: parquetSchema(type, isPictured),
        statistics: false,
        ...(isPictured && { kvMetadata: [imagesMetadata] }),
      }),
    }
    if (open.type === type) return open
    throw new Error(`A Parquet file of rows of the type "${open.type}" got one of the type "${type}".`)
  }

  async function writeGroup(): Promise<void> {
    if (open === null || group.length === 0) return
    const rows = group
    group = []
    length = 0
    const columnData = parquetColumns(open.type, isPictured).map((name) => ({
      name,
      data: rows.map((row) => row[name]),
    }))
    await open.writer.write({ columnData, rowGroupSize: rows.length })
  }

  return {
    async add(text, pictures = noPictures) {
      const row = rowSchema.parse(JSON.parse(text))
      opened(row.type)
      group.push(isPictured ? withBytes(row, pictures) : row)
      length += text.length + bytesOf(pictures)
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

function withBytes({ images, ...row }: Row, pictures: RowPictures): Row {
  const named = z.array(z.string()).parse(images)
  return { ...row, [imagesColumn]: named.map((path) => ({ bytes: pictures.get(path) ?? null, path })) }
}
