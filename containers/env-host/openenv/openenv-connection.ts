import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { FacadeSessions } from '../facade-sessions.ts'
import { errorText, type HostLog } from '../host-log.ts'
import { isTooDeep } from '../read-body.ts'
import { describeFastapi } from '../read-fastapi.ts'
import { answerMcp } from './answer-mcp.ts'
import { OpenenvEpisode } from './openenv-episode.ts'
import { messageSchema, type OpenenvMessage } from './openenv-schemas.ts'

export type OpenenvErrorCode =
  | 'INVALID_JSON'
  | 'UNKNOWN_TYPE'
  | 'VALIDATION_ERROR'
  | 'EXECUTION_ERROR'
  | 'CAPACITY_REACHED'
  | 'FACTORY_ERROR'
  | 'SESSION_ERROR'

export type OpenenvAnswer =
  | { type: 'observation' | 'state' | 'mcp'; data: object }
  | { type: 'error'; data: { message: string; code: OpenenvErrorCode; errors?: object[] } }

const types = messageSchema.options.map(({ shape }) => shape.type.value)

/**
 * One client of `/ws`: answers its messages one by one. Its session opens with the first reset, so that a full host
 * answers that reset with an error, and the client may retry on the same connection.
 */
export class OpenenvConnection {
  readonly #episode: OpenenvEpisode
  readonly #log: HostLog

  constructor(environment: string, sessions: FacadeSessions, log: HostLog) {
    this.#episode = new OpenenvEpisode(environment, sessions)
    this.#log = log
  }

  /** @returns null when the client ends the connection */
  async answer(text: string): Promise<OpenenvAnswer | null> {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      return failure('INVALID_JSON', `Invalid JSON: ${String(error)}`)
    }
    if (isTooDeep(value)) return failure('VALIDATION_ERROR', 'The message is nested too deeply.')
    const type = typeOf(value)
    if (type !== null && !(types as string[]).includes(type)) {
      return failure('UNKNOWN_TYPE', `Unknown message type: ${type.slice(0, 100)}`)
    }
    const message = messageSchema.safeParse(value)
    if (!message.success) {
      const errors = describeFastapi(message.error, value, 'body').map(({ loc, ...rest }) => ({
        ...rest,
        loc: loc.slice(1),
      }))
      return failure('VALIDATION_ERROR', 'Invalid message', errors)
    }
    if (message.data.type === 'close') return null
    try {
      return await this.#carryOut(message.data)
    } catch (error) {
      return this.#toFailure(error, message.data.type)
    }
  }

  async close(): Promise<void> {
    await this.#episode.close()
  }

  async #carryOut(message: Exclude<OpenenvMessage, { type: 'close' }>): Promise<OpenenvAnswer> {
    switch (message.type) {
      case 'reset':
        return { type: 'observation', data: await this.#episode.reset(message.data) }
      case 'step':
        return { type: 'observation', data: await this.#episode.step(message.data.action) }
      case 'state':
        return { type: 'state', data: this.#episode.state }
      case 'mcp':
        return { type: 'mcp', data: answerMcp(message.data) }
    }
  }

  #toFailure(error: unknown, type: string): OpenenvAnswer {
    if (EspalierError.isInstance(error)) return failure(codeOf(error), error.message)
    this.#log('error', 'openenv.failed', { type, error: errorText(error) })
    const message = 'Something went wrong inside the host; see its log.'
    return failure(type === 'reset' ? 'FACTORY_ERROR' : 'EXECUTION_ERROR', message)
  }
}

function codeOf({ code }: EspalierError): OpenenvErrorCode {
  switch (code) {
    case 'host_full':
    case 'host_draining':
      return 'CAPACITY_REACHED'
    case 'unknown_session':
      return 'SESSION_ERROR'
    default:
      return 'EXECUTION_ERROR'
  }
}

function typeOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return 'type' in value && typeof value.type === 'string' ? value.type : ''
}

function failure(code: OpenenvErrorCode, message: string, errors?: object[]): OpenenvAnswer {
  return { type: 'error', data: { message, code, ...(errors && { errors }) } }
}
