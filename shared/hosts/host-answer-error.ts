import { type ErrorCode, EspalierError, errorBodySchema, errorCodes } from '../contracts/errors.ts'
import type { HostAnswer } from '../contracts/host-call.ts'
import { SessionLost } from '../environments/session-lost.ts'

/** Answers that say that this session, or this host, is of no more use. */
const lost = new Set<string>([
  'unknown_host',
  'unknown_session',
  'session_fenced',
  'session_done',
  'step_conflict',
  'conflict',
] satisfies ErrorCode[])

/** What a host said no success with: a lost session, where another one may do; otherwise the error that it named. */
export function hostAnswerError({ status, body }: HostAnswer): Error {
  const parsed = errorBodySchema.safeParse(body)
  if (!parsed.success) return new SessionLost(`The host answered ${status} without saying why.`)
  const { code, message, param } = parsed.data.error
  if (!Object.hasOwn(errorCodes, code) || status >= 500 || lost.has(code)) return new SessionLost(message)
  return new EspalierError(code as ErrorCode, message, param === null ? {} : { param })
}
