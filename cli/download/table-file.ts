import { open } from 'node:fs/promises'
import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { csvHeading, csvLines } from '../../shared/data/exports/csv.ts'
import type { TableColumnType } from '../../shared/data/exports/episode-tables.ts'

type Row = Record<string, unknown>

export interface TableFile {
  add(rows: readonly Row[]): Promise<void>
  end(): Promise<void>
  close(): Promise<void>
}

const groupRows = 10_000

export async function openCsvFile(
  path: string,
  columns: Record<string, TableColumnType>,
): Promise<TableFile> {
  const file = await open(path, 'w')
  const names = Object.keys(columns)
  await file.write(csvHeading(names))
  return {
    async add(rows) {
      if (rows.length > 0) await file.write(csvLines(rows, names))
    },
    end: () => file.close(),
    close: () => file.close(),
  }
}

export async function openParquetTable(
  path: string,
  columns: Record<string, TableColumnType>,
): Promise<TableFile> {
  const file = await open(path, 'w')
  const bytes = new ByteWriter()
  const names = Object.keys(columns)
  const columnsOf = (rows: readonly Row[]) =>
    names.map((name) => ({
      name,
      data: rows.map((row) => row[name] ?? null),
      type: columns[name] ?? 'STRING',
      nullable: true,
    }))
  const writer = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({ columnData: columnsOf([]) }),
  })
  let group: Row[] = []
  const writeGroup = async () => {
    const rows = group
    group = []
    const columnData = columnsOf(rows).map(({ name, data }) => ({ name, data }))
    await writer.write({ columnData, rowGroupSize: Math.max(1, rows.length) })
  }
  return {
    async add(rows) {
      group.push(...rows)
      if (group.length >= groupRows) await writeGroup()
    },
    async end() {
      await writeGroup()
      await writer.finish()
      await file.write(bytes.getBytes())
      await file.close()
    },
    close: () => file.close(),
  }
}
