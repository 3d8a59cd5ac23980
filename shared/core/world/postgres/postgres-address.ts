import { EspalierError } from '../../contracts/errors.ts'

export interface PostgresAddress {
  connectionString: string
  schema: string
  name: string
}

const usualSchema = 'espalier'

/**
 * Reads the address of a world. `?schema=name` keeps several worlds in one database.
 * @throws EspalierError `invalid_request`
 */
export function readAddress(address: string): PostgresAddress {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !isPostgresAddress(address))
    throw invalid(
      'is no address of a PostgreSQL database: write postgres://user:password@host:5432/database.',
    )
  const schema = url.searchParams.get('schema') ?? usualSchema
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw invalid(
      `names the schema "${schema}": use 1 to 41 lower-case letters, digits and underscores, not a digit first.`,
    )
  url.searchParams.delete('schema')
  const host = url.searchParams.get('host') ?? url.host
  return { connectionString: url.href, schema, name: `${host}${url.pathname} (schema ${schema})` }
}

export function isPostgresAddress(address: string): boolean {
  return /^postgres(ql)?:\/\//.test(address)
}

function invalid(why: string): EspalierError {
  // The address may hold a password, so the error leaves it out.
  return new EspalierError('invalid_request', `The world ${why}`, { param: 'world' })
}
