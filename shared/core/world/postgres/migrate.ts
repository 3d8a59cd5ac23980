import { EspalierError } from '../../contracts/errors.ts'
import type { OneConnection, PostgresConnections } from './postgres-connections.ts'
import { schemaV1 } from './schema-v1.ts'

/** The versions of the schema, oldest first. Each only adds, so that older workers finish their episodes beside it. */
const versions = [schemaV1]

const oldestServer = 150_000

/**
 * Creates or updates the tables of a world. Of several processes that start at once, one does it.
 * @throws EspalierError `storage_failed`: the server is too old, or a newer Espalier wrote the tables
 */
export async function migrate(connections: PostgresConnections): Promise<void> {
  const { schema, name } = connections
  await connections.run('prepare the tables', async (query) => {
    await checkServer(query, name)
    await query.query('begin')
    await query.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`espalier ${schema}`])
    await query.query(`create schema if not exists ${schema}`)
    await query.query(
      'create table if not exists migrations (version integer primary key, at timestamptz not null default now())',
    )
    const { rows } = await query.query('select coalesce(max(version), 0) as version from migrations')
    const written = Number((rows[0] as { version: number }).version)
    if (written > versions.length) throw newer(name, written)
    for (const [at, statements] of versions.entries()) {
      if (at < written) continue
      await query.query(statements)
      await query.query('insert into migrations (version) values ($1)', [at + 1])
    }
    await query.query('commit')
  })
}

async function checkServer(query: OneConnection, name: string): Promise<void> {
  const { rows } = await query.query(
    `select current_setting('server_version_num')::integer as version, current_setting('server_encoding') as encoding`,
  )
  const { version, encoding } = rows[0] as { version: number; encoding: string }
  if (version < oldestServer)
    throw refused(
      `The database ${name} is PostgreSQL ${Math.floor(version / 10_000)}: Espalier needs 15 or newer.`,
    )
  if (encoding !== 'UTF8')
    throw refused(
      `The database ${name} has the encoding ${encoding}: create one with UTF8 (createdb --encoding UTF8 --template template0).`,
    )
}

function newer(name: string, version: number): EspalierError {
  return refused(
    `The world in ${name} was written by a newer Espalier (its schema is version ${version}, this one's is ${versions.length}). Update Espalier, or name another schema with ?schema=.`,
  )
}

function refused(message: string): EspalierError {
  return new EspalierError('storage_failed', message)
}
