import type { LogEntry } from '../../functions/api/log.ts'
import type { EndpointConfiguration } from '../../shared/core/contracts/endpoint-configuration.ts'
import type { LocalAuth } from '../local-principal.ts'

export interface ReaderAssignment {
  folder: string
  auth: LocalAuth
  word: string
  endpoints: readonly (readonly [string, EndpointConfiguration])[]
  code: string
  methodVersions: Readonly<Record<string, string>>
}

export interface ReadRequest {
  method: string
  url: string
  headers: [string, string][]
  body: Uint8Array | null
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
  | { type: 'damage'; name: string }
  | { type: 'closed' }
