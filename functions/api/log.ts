import { EspalierError } from '../../shared/core/contracts/errors.ts'

export interface LogEntry {
  level: 'info' | 'warn' | 'error'
  event: string
  [field: string]: unknown
}

export type Log = (entry: LogEntry) => void

export const logToStderr: Log = (entry) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`)
}

export function errorFields(error: unknown): { error: string } {
  if (!(error instanceof Error)) return { error: String(error) }
  // An error meant for the user needs no stack: its message states the problem and the remedy.
  const isMeant = EspalierError.isInstance(error)
  const own = (isMeant ? undefined : error.stack) ?? `${error.name}: ${error.message}`
  const cause = error.cause === undefined ? '' : `\ncaused by ${errorFields(error.cause).error}`
  const parts = error instanceof AggregateError ? error.errors : []
  return { error: [own + cause, ...parts.map((part) => errorFields(part).error)].join('\nof which ') }
}
