import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { CommandError } from '../command-error.ts'

const rowsAtOnce = 256

export async function packingOf(path: string): Promise<'plain' | 'gzip' | 'parquet'> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    if (buffer.toString('latin1') === 'PAR1') return 'parquet'
    return buffer[0] === 0x1f && buffer[1] === 0x8b ? 'gzip' : 'plain'
  } finally {
    await file.close()
  }
}

/**
 * Streams the text of a file of rows: unpacks gzip, and converts Parquet to JSON Lines.
 * @param onBytes receives the number of bytes read since the last call
 * @throws CommandError if the file is damaged
 */
export async function* openRows(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const packing = await packingOf(path)
  try {
    if (packing === 'parquet') yield* parquetLines(path, onBytes)
    else {
      const counted = createReadStream(path).on('data', (chunk) => onBytes(chunk.length))
      if (packing === 'plain') yield* counted as AsyncIterable<Uint8Array>
      else {
        const unpacked = createGunzip()
        counted.on('error', (error) => unpacked.destroy(error))
        yield* counted.pipe(unpacked) as AsyncIterable<Uint8Array>
      }
    }
  } catch (error) {
    if (packing === 'plain' || !(error instanceof Error)) throw error
    throw new CommandError('unreadable_file', `${path} cannot be read as ${packing}: ${error.message}`)
  }
}

async function* parquetLines(path: string, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import('hyparquet')
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const rows = Number(metadata.num_rows)
  for (let rowStart = 0; rowStart < rows; rowStart += rowsAtOnce) {
    const rowEnd = Math.min(rows, rowStart + rowsAtOnce)
    const found = await parquetReadObjects({ file, metadata, rowStart, rowEnd })
    onBytes(((rowEnd - rowStart) / rows) * file.byteLength)
    yield Buffer.from(found.map((row) => `${JSON.stringify(row, withNumbers)}\n`).join(''))
  }
}

function withNumbers(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value
}
