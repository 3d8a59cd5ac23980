import { join } from 'node:path'
import type { Run } from '../../shared/core/contracts/run.ts'
import {
  callColumns,
  episodeColumns,
  stepColumns,
  type TableColumnType,
  toCallRows,
  toEpisodeRow,
  toStepRows,
} from '../../shared/data/exports/episode-tables.ts'
import { type ExportClient, readEpisodes } from '../../shared/data/exports/read-episodes.ts'
import { openCsvFile, openParquetTable, type TableFile } from './table-file.ts'

/**
 * Writes `episodes`, `steps` and `calls` of all runs together, as CSV or Parquet.
 * @returns the names of the files
 */
export async function writeTables(
  client: ExportClient,
  runs: readonly Run[],
  { folder, format }: { folder: string; format: 'csv' | 'parquet' },
): Promise<string[]> {
  const openTable = format === 'csv' ? openCsvFile : openParquetTable
  const fileOf = (name: string) => `${name}.${format}`
  const opened: TableFile[] = []
  const open = async (name: string, columns: Record<string, TableColumnType>): Promise<TableFile> => {
    const table = await openTable(join(folder, fileOf(name)), columns)
    opened.push(table)
    return table
  }
  try {
    const episodes = await open('episodes', episodeColumns)
    const steps = await open('steps', stepColumns)
    const calls = await open('calls', callColumns)
    for (const run of runs) {
      for await (const exported of readEpisodes(client, run, { tree: true, calls: true })) {
        await episodes.add([toEpisodeRow(exported)])
        await steps.add(toStepRows(exported))
        await calls.add(toCallRows(exported))
      }
    }
    for (const table of opened) await table.end()
  } finally {
    for (const table of opened) await table.close()
  }
  return ['episodes', 'steps', 'calls'].map(fileOf)
}
