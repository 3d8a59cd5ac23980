import type { DatabaseSync } from 'node:sqlite'
import { EspalierError } from '../../contracts/errors.ts'

/** Raised whenever a step is appended to `steps`. */
const steps: string[] = [
  `create table objects (
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
     primary key (partition, sort)
   ) without rowid;

   create table messages (
     id integer primary key autoincrement,
     queue text not null,
     group_name text not null,
     state integer not null,
     visible_at integer not null,
     receives integer not null,
     body text not null
   );
   create index messages_ready on messages (queue, group_name, id) where state = 0;
   create index messages_hidden on messages (queue, visible_at) where state > 0;
   create index messages_in_flight on messages (queue, group_name) where state = 2;`,
]

/**
 * Brings a database to this version's tables and sets how it writes: in write-ahead mode, where every commit waits for
 * the disk.
 */
export function prepareSchema(sqlite: DatabaseSync, path: string): void {
  sqlite.exec(`
    pragma journal_mode = wal;
    pragma synchronous = full;
    pragma wal_autocheckpoint = 4000;
    pragma journal_size_limit = 67108864;
    pragma cache_size = -65536;
    pragma temp_store = memory;
  `)
  const version = Number(sqlite.prepare('pragma user_version').get()?.user_version)
  if (version > steps.length) {
    throw new EspalierError(
      'storage_failed',
      `${path} was written by a newer Espalier (its storage version is ${version}, this one knows ${steps.length}). Update Espalier, or choose another data folder.`,
    )
  }
  for (const [index, step] of steps.entries()) {
    if (index < version) continue
    sqlite.exec(`begin immediate; ${step} pragma user_version = ${index + 1}; commit;`)
  }
}
