import { EspalierError } from '../../contracts/errors.ts'

/** SQLSTATEs that pass: lost connections, shutdowns, failovers, time-outs, deadlocks, too many connections. */
const passingStates = /^(08|40|57P|53300|53400|55P03|57014|25006|25P03)/
const passingCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  // The socket of a server that restarts on this machine.
  'ENOENT',
])
const passingMessages =
  /connection terminated|query read timeout|timeout exceeded when trying to connect|timeout expired|client has encountered a connection error|client was closed|not queryable/i
const isSqlState = /^[0-9A-Z]{5}$/

export function postgresCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

export function isPassingFailure(error: unknown): boolean {
  if (!(error instanceof Error) || EspalierError.isInstance(error)) return false
  if (error instanceof AggregateError) return error.errors.some(isPassingFailure)
  const code = postgresCode(error)
  if (isSqlState.test(code) && !passingCodes.has(code)) return passingStates.test(code)
  return passingCodes.has(code) || passingMessages.test(error.message)
}

/**
 * Turns a failure of the database into a user's error. Bugs, such as wrong SQL, stay unchanged.
 * @param doing to follow "Could not"
 * @param seconds for which the driver retried
 */
export function postgresError(error: unknown, doing: string, database: string, seconds = 0): unknown {
  if (EspalierError.isInstance(error) || !(error instanceof Error)) return error
  const way = wayOut(error)
  if (way === null) return error
  const tried = seconds > 0 ? ` within ${seconds} s` : ''
  const code = postgresCode(error)
  const why = [code, reasonOf(error)].filter((part) => part !== '').join(': ')
  return new EspalierError(
    'storage_failed',
    `Could not ${doing} in the database ${database}${tried} (${why}). ${way}`,
    {
      cause: error,
    },
  )
}

function reasonOf(error: Error): string {
  const first = error instanceof AggregateError ? (error.errors[0] as unknown) : error
  return (first instanceof Error ? first.message : error.message).split('\n')[0] ?? ''
}

function wayOut(error: Error): string | null {
  const code = postgresCode(error)
  if (code.startsWith('28')) return 'Check the user and the password in its address.'
  if (code === '3D000') return 'Create this database first, or name another one in the address.'
  if (code === '42501')
    return 'Give its user the right to create a schema in this database, or one that it owns.'
  if (code === '53100') return "The server's disk is full: free some space, then try again."
  if (code.startsWith('58')) return 'The server cannot use its files: check its disk and its log.'
  if (code.startsWith('53') || isPassingFailure(error))
    return 'Check that the server runs, accepts writes and can be reached, then try again.'
  if (code === 'XX001' || code === 'XX002')
    return "The server's files are damaged: restore the database from a backup."
  return null
}
