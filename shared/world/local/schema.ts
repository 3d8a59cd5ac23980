import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { EspalierError } from '../../contracts/errors.ts'

/** Raised whenever an older data folder cannot be read any more. 2: runs and datasets belong to tenants. */
const storageVersion = 2

const tables = `
   create table objects (
     key text not null unique,
     etag text not null,
     size integer not null,
     content_type text,
     file text,
     body blob
   );
   create index objects_by_file on objects (file) where file is not null;

   create table ledger (
     partition text not null,
     sort text not null,
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
     hidden_at integer
   );
   create index messages_ready on messages (queue, group_name, id) where state = 0;
   create index messages_hidden on messages (queue, visible_at) where state > 0;
   create index messages_in_flight on messages (queue, group_name) where state = 2;`

/**
 * Makes the tables of a new database and sets how it writes: in write-ahead mode. `normal` keeps the file sound whatever
 * happens; that a commit is on disk is waited for by the database's user (`LogSync`), off the event loop.
 *
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
  if (isPrepared(sqlite, path)) addColumns(sqlite)
  else sqlite.exec(`begin immediate; ${tables} pragma user_version = ${storageVersion}; commit;`)
}

/**
 * Folders of version 2 may be older than the columns that say who holds a message in flight, and when it was hidden; where they
 * are null, that is not known. Programs that do not know the columns go on reading and writing the table.
 */
function addColumns(sqlite: DatabaseSync): void {
  const columns = sqlite.prepare('pragma table_info(messages)').all()
  const missing = ['holder text', 'hidden_at integer'].filter(
    (column) => !columns.some(({ name }) => column.startsWith(`${name} `)),
  )
  for (const column of missing) sqlite.exec(`alter table messages add column ${column}`)
}

/**
 * Looks whether the database of a data folder can be used, and changes nothing. One that is not there yet can.
 *
 * @throws EspalierError `storage_failed` when another version of the program wrote it
 */
export function checkStorageVersion(path: string): void {
  if (!existsSync(path)) return
  const sqlite = new DatabaseSync(path, { readOnly: true })
  try {
    isPrepared(sqlite, path)
  } finally {
    sqlite.close()
  }
}

/** False where nothing was written yet. @throws EspalierError `storage_failed` */
function isPrepared(sqlite: DatabaseSync, path: string): boolean {
  const version = Number(sqlite.prepare('pragma user_version').get()?.user_version)
  if (version !== storageVersion && version !== 0) throw otherVersion(path, version)
  return version === storageVersion
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
