import { hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { PostgresConnections } from '../../shared/core/world/postgres/postgres-connections.ts'
import { readBackupLines } from './read-backup-lines.ts'
import type { OnProgress } from './sealed-backup.ts'

export type RowsClient = ReturnType<PostgresConnections['connect']>

export const tables = ['ledger', 'messages', 'objects'] as const
export type Table = (typeof tables)[number]
export type RowCounts = Record<Table, number>

const fetched = 200
const batchSize = 4 * 1024 * 1024

const fileOf = (folder: string, table: Table): string => join(folder, `${table}.ndjson.gz`)

export interface ObjectLine {
  key: string
  etag: string
  file: string | null
  body: string | null
}

export async function writeRows(
  client: RowsClient,
  folder: string,
  onObject: (row: ObjectLine) => void,
  onProgress: OnProgress,
): Promise<RowCounts> {
  const counts: RowCounts = { ledger: 0, messages: 0, objects: 0 }
  await client.query('begin isolation level repeatable read read only')
  for (const table of tables) {
    await client.query(
      `declare rows_of_${table} no scroll cursor for select row_to_json(t)::text as line from ${table} t`,
    )
    async function* lines() {
      for (;;) {
        const { rows } = await client.query<{ line: string }>(`fetch ${fetched} from rows_of_${table}`)
        if (rows.length === 0) return
        for (const { line } of rows) {
          if (table === 'objects') onObject(JSON.parse(line) as ObjectLine)
          yield `${line}\n`
        }
        counts[table] += rows.length
        onProgress(`Copied ${counts[table]} rows of the table ${table}.`)
      }
    }
    await pipeline(
      Readable.from(lines()),
      createGzip(),
      createWriteStream(fileOf(folder, table), { mode: 0o600 }),
    )
  }
  await client.query('commit')
  return counts
}

export async function insertRows(
  client: RowsClient,
  folder: string,
  onProgress: OnProgress,
): Promise<RowCounts> {
  const counts: RowCounts = { ledger: 0, messages: 0, objects: 0 }
  for (const table of tables) {
    const insert = async (batch: readonly string[]) => {
      const { rowCount } = await client.query(
        `insert into ${table} overriding system value
         select * from json_populate_recordset(null::${table}, $1::json)`,
        [`[${batch.join(',')}]`],
      )
      counts[table] += rowCount ?? 0
      onProgress(`Restored ${counts[table]} rows of the table ${table}.`)
    }
    let batch: string[] = []
    let size = 0
    const text = createReadStream(fileOf(folder, table)).pipe(createGunzip())
    for await (const line of readBackupLines(text)) {
      batch.push(line)
      size += line.length
      if (size < batchSize) continue
      await insert(batch)
      batch = []
      size = 0
    }
    if (batch.length > 0) await insert(batch)
  }
  return counts
}

export function isWhole({ body, etag }: ObjectLine): boolean {
  return body === null || hash('sha256', Buffer.from(body.slice(2), 'hex')) === etag
}
