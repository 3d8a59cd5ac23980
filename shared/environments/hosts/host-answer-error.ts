import { errorBodySchema } from '../../core/contracts/error-body.ts'
import { type ErrorCode, EspalierError, errorCodes } from '../../core/contracts/errors.ts'
import type { HostAnswer } from '../../core/contracts/host-call.ts'
import { SessionLostError } from '../session-lost-error.ts'

const lost = new Set<string>([
  'unknown_host',
  'unknown_session',
  'session_fenced',
  'session_done',
  'step_conflict',
  'conflict',
] satisfies ErrorCode[])

const notReached = {
  unknown_host: 'The host of the session is gone.',
  host_unreachable: 'The host of the session cannot be reached.',
  host_timed_out: 'The host of the session did not answer in time.',
} as const satisfies Partial<Record<ErrorCode, string>>

export function hostAnswerError({ status, body }: HostAnswer): Error {
  const parsed = errorBodySchema.safeParse(body)
  if (!parsed.success) return new SessionLostError(`The host answered ${status} without saying why.`)
  const { code, message, param } = parsed.data.error
  // A failure to reach a host names it; a user who reads the error need not know the account's machines.
  if (param === 'host' && Object.hasOwn(notReached, code)) {
    return new SessionLostError(notReached[code as keyof typeof notReached], { cause: new Error(message) })
  }
  if (!Object.hasOwn(errorCodes, code) || status >= 500 || lost.has(code))
    return new SessionLostError(message)
  return new EspalierError(code as ErrorCode, message, param === null ? {} : { param })
}
