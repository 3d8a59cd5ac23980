import { setTimeout as sleep } from 'node:timers/promises'
import { EspalierError } from '../../core/contracts/errors.ts'
import { type Json, type JsonObject, jsonSchema } from '../../core/contracts/json.ts'
import { parseJson } from '../../core/contracts/parse-json.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import { registeredFetch } from '../../core/outbound/outbound-fetch.ts'
import { SessionLostError } from '../session-lost-error.ts'
import { type ResetTurns, takeResetTurn } from './reset-turns.ts'

const longestAnswer = 16 * 1024 * 1024
const mostTries = 5
const firstPause = 100
const longestPause = 5000
const resets = new Set(['/create', '/reset'])

export interface AgentgymCall {
  path: string
  body?: JsonObject
  /** False for a step: the server may have taken it although no answer came. */
  repeatable: boolean
  waits?: boolean
}

export class AgentgymCaller {
  /** Errors use this name instead of the address, because runs of tenants show them. */
  readonly #name: string
  readonly #address: string
  readonly #timeout: number
  readonly #turns: ResetTurns

  /**
   * @param id of the environment that the server was registered as
   * @param timeout seconds that one answer may take
   * @param turns serializes the resets of one address
   */
  constructor(id: string, address: string, timeout: number, turns: ResetTurns = takeResetTurn) {
    const { protocol } = new URL(address)
    if (protocol !== 'http:' && protocol !== 'https:') {
      throw new EspalierError(
        'invalid_request',
        `An AgentGym server has an http or https address, not ${protocol}//.`,
      )
    }
    this.#name = `The AgentGym server of "${id}"`
    this.#address = address.replace(/\/+$/, '')
    this.#timeout = timeout
    this.#turns = turns
  }

  /**
   * @throws SessionLostError when the server does not answer, or no longer knows the session; EspalierError
   * `session_done`; EspalierError `endpoint_failed` for an unusable answer
   */
  async call(request: AgentgymCall, signal: AbortSignal): Promise<Json> {
    for (let attempt = 1; ; attempt += 1) {
      // Release the turn before a pause: a session that waits for room must not block the resets of others.
      const answer = resets.has(request.path)
        ? await this.#turns(this.#address, () => this.#send(request, signal), signal)
        : await this.#send(request, signal)
      if (answer !== null && answer.status === 200) return this.#read(request, answer.text)
      const isBusy = answer?.status === 503
      const mayRepeat = isBusy
        ? request.waits || attempt < mostTries
        : request.repeatable && attempt < mostTries
      const isOver = answer !== null && answer.status < 500
      if (isOver) throw this.#failure(request, `the status ${answer.status}: ${cut(answer.text)}`)
      if (!mayRepeat) {
        const what = answer === null ? 'no answer' : `the status ${answer.status}`
        throw new SessionLostError(`${this.#name} gave ${what} to ${request.path}.`)
      }
      await sleep(Math.min(longestPause, firstPause * 2 ** (attempt - 1)), undefined, { signal })
    }
  }

  async #send(
    { path, body }: AgentgymCall,
    signal: AbortSignal,
  ): Promise<{ status: number; text: string } | null> {
    const timeout = AbortSignal.timeout(this.#timeout * 1000)
    try {
      const response = await registeredFetch(`${this.#address}${path}`, {
        method: 'POST',
        // Only the administrator decides the server's address: follow no redirects.
        redirect: 'manual',
        signal: AbortSignal.any([signal, timeout]),
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await readText(response) }
    } catch (error) {
      signal.throwIfAborted()
      if (EspalierError.isInstance(error)) throw error
      return null
    }
  }

  #read({ path }: AgentgymCall, text: string): Json {
    const answer = jsonSchema.safeParse(parseJson(text))
    if (!answer.success) throw this.#failure({ path }, `what is no JSON: ${cut(text)}`)
    const { data } = answer
    const isError = typeof data === 'object' && data !== null && !Array.isArray(data) && 'error' in data
    if (!isError) return data
    const said = cut(String(data.error))
    if (/is not valid\.$|has been deleted\.$/.test(said)) {
      throw new SessionLostError(`${this.#name} no longer knows the session: ${said}`)
    }
    if (/has finished\.$/.test(said)) throw new EspalierError('session_done', `The game is over: ${said}`)
    throw this.#failure({ path }, `the error "${said}"`)
  }

  #failure({ path }: Pick<AgentgymCall, 'path'>, what: string): EspalierError {
    return new EspalierError(
      'endpoint_failed',
      `${this.#name} answered ${path} with ${what}. Check that its address is that of the server it is registered as${path === '/reset' ? ', and that it has as many tasks: set "tasks" in environments.json where it has fewer' : ''}.`,
    )
  }
}

async function readText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.byteLength
    if (size > longestAnswer) {
      throw new EspalierError(
        'endpoint_failed',
        `The AgentGym server answered more than ${longestAnswer} bytes.`,
      )
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

function cut(text: string): string {
  return text.length <= 200 ? text : `${clipText(text, 200)}…`
}
