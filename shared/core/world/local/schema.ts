import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { EspalierError } from '../../contracts/errors.ts'
import { prepareRunFigures } from './run-figures.ts'

/**
 * The version that this program writes. 2: runs and datasets belong to tenants. 3: rows carry checksums, which
 * programs of version 2 would leave stale.
 */
const storageVersion = 3
const oldestReadable = 2
/** A greater number is no version that will ever be. */
const largestVersion = 1000

const tables = `
   create table objects (
     key text not null unique,
     etag text not null,
     size integer not null,
     content_type text,
     file text,
     crc integer,
     sums blob,
     body blob
   );
   create index objects_by_file on objects (file) where file is not null;

   create table ledger (
     partition text not null,
     sort text not null,
     key_crc integer,
     crc integer,
     item text not null,
     expires_at integer,
     primary key (partition, sort)
   ) without rowid;
   create index ledger_expiring on ledger (expires_at) where expires_at is not null;

   create table messages (
     id integer primary key autoincrement,
     queue text not null,
     group_name text not null,
     state integer not null,
     visible_at integer not null,
     receives integer not null,
     body text not null,
     holder text,
     hidden_at integer,
     group_crc integer,
     crc integer
   );
   create index messages_ready on messages (queue, group_name, id) where state = 0;
   create index messages_hidden on messages (queue, visible_at) where state > 0;
   create index messages_in_flight on messages (queue, group_name) where state = 2;`

/**
 * Creates the tables of a new database and sets write-ahead mode. `normal` keeps the file sound whatever happens; the
 * database's user (`LogSync`) waits for the disk, off the event loop.
 * @throws EspalierError `storage_failed` for one that an older or newer version wrote
 */
export function prepareSchema(sqlite: DatabaseSync, path: string): void {
  sqlite.exec(`
    pragma journal_mode = wal;
    pragma synchronous = normal;
    pragma wal_autocheckpoint = 4000;
    pragma journal_size_limit = 67108864;
    pragma cache_size = -65536;
    pragma temp_store = memory;
  `)
  const version = versionOf(sqlite, path)
  const changes = version === 0 ? tables : newColumns(sqlite)
  if (version !== storageVersion || changes !== '')
    sqlite.exec(`begin immediate; ${changes} pragma user_version = ${storageVersion}; commit;`)
  prepareRunFigures(sqlite)
}

const added = {
  messages: ['holder text', 'hidden_at integer', 'group_crc integer', 'crc integer'],
  objects: ['crc integer', 'sums blob'],
  ledger: ['key_crc integer', 'crc integer'],
}

function newColumns(sqlite: DatabaseSync): string {
  const statements = Object.entries(added).flatMap(([table, columns]) => {
    const present = new Set(
      sqlite
        .prepare(`pragma table_info(${table})`)
        .all()
        .map(({ name }) => String(name)),
    )
    return columns
      .filter((column) => !present.has(column.split(' ')[0] ?? ''))
      .map((column) => `alter table ${table} add column ${column};`)
  })
  return statements.join(' ')
}

/**
 * Checks if the database of a data folder can be used, and changes nothing. A missing one can.
 * @throws EspalierError `storage_failed` if another version of the program wrote it
 */
export function checkStorageVersion(path: string): void {
  if (!existsSync(path)) return
  const sqlite = new DatabaseSync(path, { readOnly: true })
  try {
    versionOf(sqlite, path)
  } finally {
    sqlite.close()
  }
}

function versionOf(sqlite: DatabaseSync, path: string): number {
  const version = Number(sqlite.prepare('pragma user_version').get()?.user_version)
  if (version < 0 || version > largestVersion)
    throw new EspalierError(
      'storage_failed',
      `${path} is damaged: its storage version is ${version}. Restore it from a backup, or choose another data folder.`,
    )
  if (version !== 0 && (version < oldestReadable || version > storageVersion))
    throw otherVersion(path, version)
  return version
}

function otherVersion(path: string, version: number): EspalierError {
  const written = version > storageVersion ? 'a newer' : 'an older'
  const wayOut =
    version > storageVersion
      ? 'Update Espalier, or choose another data folder with --folder.'
      : 'Choose another data folder with --folder; the Espalier that wrote this one still exports its runs and datasets.'
  return new EspalierError(
    'storage_failed',
    `${path} was written by ${written} Espalier (its storage version is ${version}, this one's is ${storageVersion}). ${wayOut}`,
  )
}
