import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** Raise it whenever tables or the words of texts change: an index of another version is rebuilt. */
const indexVersion = 1

const tables = `
   create table runs (number integer primary key autoincrement, run text not null unique, settled text);
   create table episodes (
     run integer not null,
     episode integer not null,
     version text not null,
     task text not null,
     outcome text not null,
     reward real,
     success integer,
     is_cut integer not null,
     primary key (run, episode)
   ) without rowid;
   create index episodes_cut on episodes (run) where is_cut = 1;
   create table passages (
     id integer primary key,
     run integer not null,
     episode integer not null,
     kind text not null,
     node integer,
     role text,
     finish_reason text,
     text text not null
   );
   create virtual table words using fts5(
     folded, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3 4 5 6'
   );`

const statements = {
  run: 'select number, settled from runs where run = ?',
  addRun: 'insert into runs (run) values (?) on conflict do nothing',
  settle: 'update runs set settled = ? where run = ?',
  removeRun: 'delete from runs where number = ?',
  countCut: 'select count(*) as cut from episodes where run = ? and is_cut = 1',
  versions: 'select episode, version from episodes where run = ?',
  putEpisode: 'insert or replace into episodes values (?, ?, ?, ?, ?, ?, ?, ?)',
  removeEpisodes: 'delete from episodes where run = ?',
  addPassage: 'insert into passages values (?, ?, ?, ?, ?, ?, ?, ?)',
  removePassages: 'delete from passages where id between ? and ?',
  addWords: 'insert into words (rowid, folded) values (?, ?)',
  removeWords: 'delete from words where rowid in (select id from passages where id between ? and ?)',
  search: `
    select passages.id, episodes.*, kind, node, role, finish_reason, passages.text
    from words
    cross join passages on passages.id = words.rowid
    cross join episodes on episodes.run = passages.run and episodes.episode = passages.episode
    where words match :words and words.rowid between :first and :last
      and (:kind is null or kind = :kind)
      and (:finish_reason is null or finish_reason = :finish_reason)
      and (:outcome is null or outcome = :outcome)
    order by words.rowid
    limit :most`,
}

export type PassageTables = Record<keyof typeof statements, StatementSync> & {
  transaction(change: () => void): void
  close(): void
}

/**
 * Opens the tables of an index, and creates them in a new file.
 * @throws an error for a file that is no database, and for an index of another version
 */
export function openPassageTables(database: DatabaseSync): PassageTables {
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = normal; pragma journal_size_limit = 67108864;',
  )
  if (versionOf(database) === 0) {
    database.exec('begin immediate')
    // Another thread may have made the tables meanwhile.
    if (versionOf(database) === 0) database.exec(`${tables} pragma user_version = ${indexVersion};`)
    database.exec('commit')
  }
  const version = versionOf(database)
  if (version !== indexVersion) throw new Error(`The index is of version ${version}, not ${indexVersion}.`)
  const prepared = Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)])
  return {
    ...(Object.fromEntries(prepared) as Record<keyof typeof statements, StatementSync>),
    transaction(change) {
      database.exec('begin immediate')
      try {
        change()
        database.exec('commit')
      } catch (error) {
        if (database.isTransaction) database.exec('rollback')
        throw error
      }
    },
    close: () => database.close(),
  }
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('pragma user_version').get()?.user_version)
}
