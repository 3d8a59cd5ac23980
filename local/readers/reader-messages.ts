import type { LogEntry } from '../../functions/api/log.ts'
import type { EndpointConfiguration } from '../../shared/contracts/endpoint-configuration.ts'
import type { LocalAuth } from '../local-principal.ts'

/** The service whose folder a thread reads, and the keys that its requests may show. */
export interface ReaderAssignment {
  folder: string
  auth: LocalAuth
  /** The folder's word: see `localPrincipal`. */
  word: string
  endpoints: readonly (readonly [string, EndpointConfiguration])[]
  /** The version of the code, as journals keep it. */
  code: string
  methodVersions: Readonly<Record<string, string>>
}

/** A request of the API, without its body's stream. */
export interface ReadRequest {
  method: string
  url: string
  headers: [string, string][]
  /** Null for a request without a body. */
  body: Uint8Array | null
  /** See `LoopTurns.as`. */
  caller: string
}

export interface ReadAnswer {
  status: number
  headers: [string, string][]
  body: Uint8Array
}

export type MessageToReader = { type: 'read'; id: number; request: ReadRequest } | { type: 'close' }

export type MessageFromReader =
  | { type: 'ready' }
  | { type: 'answer'; id: number; answer: ReadAnswer }
  | { type: 'failure'; id: number; reason: string }
  | { type: 'log'; entry: LogEntry }
  | { type: 'closed' }
