import type { DatasetFormat } from './format.ts'
import { openJsonFile } from './json-file.ts'
import { openJsonlFile } from './jsonl-file.ts'
import { openParquetFile } from './parquet-file.ts'
import type { RowFile } from './row-file.ts'

/** How each container's files end, as they are stored. */
const extensions = { jsonl: '.jsonl.gz', json: '.json.gz', parquet: '.parquet' } as const

/** Starts a data file of the format. What is not ended must be discarded. */
export function openRowFile({ container }: Pick<DatasetFormat, 'container'>): RowFile {
  switch (container) {
    case 'jsonl':
      return openJsonlFile()
    case 'json':
      return openJsonFile()
    case 'parquet':
      return openParquetFile()
  }
}

/** How the format's data files end, as they are stored: `.jsonl.gz`, `.json.gz` or `.parquet`. */
export function fileExtension({ container }: Pick<DatasetFormat, 'container'>): string {
  return extensions[container]
}
