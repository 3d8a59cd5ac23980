import {
  callHostEventSchema,
  type HostAnswer,
  type HostCaller,
} from '../../shared/core/contracts/host-call.ts'
import { describeInvalid } from '../../shared/core/contracts/validation/describe-invalid.ts'
import type { Log } from '../api/log.ts'

/**
 * Forwards one call to one host. The caller names a host and an operation. The address and request follow from the
 * registry and the protocol, so nothing else can be reached. Every failure is an answer: an exception would count as
 * a failure of this function. Every step of an episode passes here, so the log has only failures, and never the
 * contents of a call.
 */
export function createCallHost(caller: HostCaller, log: Log): (event: unknown) => Promise<HostAnswer> {
  return async (event) => {
    const parsed = callHostEventSchema.safeParse(event)
    if (!parsed.success) {
      const error = describeInvalid(parsed.error, { part: 'json', schema: callHostEventSchema, value: event })
      log({ level: 'warn', event: 'host.call_refused', code: error.code, param: error.param })
      return { status: error.status, body: error.toBody() }
    }
    const { call, within } = 'call' in parsed.data ? parsed.data : { call: parsed.data, within: undefined }
    const { operation, host } = call
    const started = performance.now()
    const answer = await caller.call(call, undefined, within)
    const milliseconds = Math.round(performance.now() - started)
    if (answer.status >= 500) {
      log({ level: 'warn', event: 'host.call_failed', operation, host, status: answer.status, milliseconds })
    }
    return answer
  }
}
