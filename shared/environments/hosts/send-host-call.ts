import { EspalierError } from '../../core/contracts/errors.ts'
import type { HostAnswer, HostCall } from '../../core/contracts/host-call.ts'
import { type Json, jsonSchema } from '../../core/contracts/json.ts'

export interface Sending {
  origin: string
  timeout: number
  accessKey?: string
  signal?: AbortSignal
  /** Sends the request. @default the global `fetch`, for hosts of this machine or network */
  fetch?: (address: string, init: RequestInit) => Promise<Response>
}

/**
 * Makes one call over HTTP. A failure to reach the host is an answer too: see `HostCaller`.
 * @throws the signal's reason if it aborts
 */
export async function sendHostCall(
  call: HostCall,
  { origin, timeout, accessKey, signal, fetch: send = fetch }: Sending,
): Promise<HostAnswer> {
  const { method, path, body } = hostRoute(call)
  const limit = AbortSignal.timeout(timeout)
  try {
    const response = await send(`${origin}${path}`, {
      method,
      body,
      headers: {
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(accessKey !== undefined && { authorization: `Bearer ${accessKey}` }),
      },
      // A host answers by itself; a redirect does not come from one.
      redirect: 'error',
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    return { status: response.status, body: await jsonOf(response) }
  } catch (error) {
    signal?.throwIfAborted()
    if (limit.aborted) {
      const message = `The host ${call.host} did not answer within ${timeout / 1000} seconds. Make the same call again, or use another host.`
      return callFailure('host_timed_out', message)
    }
    const message = `The host ${call.host} cannot be reached (${causeOf(error)}). Use another host.`
    return callFailure('host_unreachable', message)
  }
}

export function callFailure(
  code: 'unknown_host' | 'host_unreachable' | 'host_timed_out',
  message: string,
): HostAnswer {
  const error = new EspalierError(code, message, { param: 'host' })
  return { status: error.status, body: error.toBody() }
}

/** @throws an error if the body is not JSON, so that no host answered */
async function jsonOf(response: Response): Promise<Json> {
  return jsonSchema.parse(JSON.parse(await response.text()))
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
}

export interface HostRoute {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body: string | null
}

export function hostRoute(call: HostCall): HostRoute {
  switch (call.operation) {
    case 'health':
      return { method: 'GET', path: '/health', body: null }
    case 'create':
      return { method: 'POST', path: '/sessions', body: JSON.stringify(call.body) }
    case 'close':
      return {
        method: 'DELETE',
        path: `/sessions/${encodeURIComponent(call.session)}?token=${call.body.token}`,
        body: null,
      }
    default:
      return {
        method: 'POST',
        path: `/sessions/${encodeURIComponent(call.session)}/${call.operation}`,
        body: JSON.stringify(call.body),
      }
  }
}
