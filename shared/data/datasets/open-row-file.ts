import { readPictureFile } from '../formats/picture-names.ts'
import type { DatasetFormat } from '../formats/trainer-format.ts'
import { GzipLines } from './gzip-lines.ts'
import { openParquetFile } from './parquet-file.ts'
import { noPictures, type RowFile, type RowPictures } from './row-file.ts'

const extensions = { jsonl: '.jsonl.gz', json: '.json.gz', parquet: '.parquet' } as const

export function openRowFile({ container }: Pick<DatasetFormat, 'container'>, isPictured = false): RowFile {
  switch (container) {
    case 'jsonl':
      return openJsonlFile()
    case 'json':
      return openJsonFile()
    case 'parquet':
      return openParquetFile(isPictured)
  }
}

export function fileExtension({ container }: Pick<DatasetFormat, 'container'>): string {
  return extensions[container]
}

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

function openJsonlFile(): RowFile {
  const lines = new GzipLines()
  return {
    add: (text, pictures = noPictures) => lines.write(withAddresses(text, pictures)),
    end: () => lines.end(),
    discard: () => lines.discard(),
  }
}

function withAddresses(text: string, pictures: RowPictures): string {
  let row = text
  for (const [name, bytes] of pictures) {
    const type = readPictureFile(name)?.media_type ?? ''
    const address = `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
    row = row.replaceAll(JSON.stringify(name), () => JSON.stringify(address))
  }
  return row
}
