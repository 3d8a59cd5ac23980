import type { HostCall } from '../contracts/host-call.ts'

export interface HostRoute {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  body: string | null
}

/** A call as the host protocol has it over HTTP. */
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
