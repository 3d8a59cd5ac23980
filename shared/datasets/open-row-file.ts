import type { DatasetFormat } from '../formats/trainer-format.ts'
import { GzipLines } from './gzip-lines.ts'
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

/** One gzipped JSON list, a row a line in it. */
export function openJsonFile(): RowFile {
  const lines = new GzipLines()
  let last: string | null = null

  return {
    async add(text) {
      await lines.write(last === null ? '[' : `${last},`)
      last = text
    },
    async end() {
      if (last === null) await lines.write('[')
      else await lines.write(last)
      await lines.write(']')
      return lines.end()
    },
    discard: () => lines.discard(),
  }
}

/** Gzipped JSON Lines: a row a line. */
function openJsonlFile(): RowFile {
  const lines = new GzipLines()
  return {
    add: (text) => lines.write(text),
    end: () => lines.end(),
    discard: () => lines.discard(),
  }
}
