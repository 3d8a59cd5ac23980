import type { ModelFailure } from '../../core/contracts/model-failure.ts'
import { parseJson } from '../../core/contracts/parse-json.ts'
import { AnswerBodyError } from './answer-reader.ts'
import { isRetriedStatus } from './retry-policy.ts'
import { CallTimeoutError, UnsentRequestError, type WireAnswer, type WireHeaders } from './transport.ts'

export interface CallFailure {
  /** The failure in words, for the user; may still hold a key that the server repeated. */
  said: string
  status: number | null
  code: string | null
  headers: WireHeaders | null
  /** The endpoint may have worked on it, so it counts as paid. */
  paid: boolean
  transient: boolean
  rateLimited: boolean
  unreachable: boolean
  advice?: string
}

const tlsCode = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL)/

/**
 * Reads the error of a call without an answer.
 *
 * @param dispatched whether the request reached the transport; otherwise it cannot have been paid
 */
export function readCallFailure(error: unknown, dispatched: boolean): CallFailure {
  const code = findCode(error)
  const base = { status: null, code: null, headers: null, rateLimited: false }
  if (!dispatched) {
    return { ...base, said: describe(error, code), paid: false, transient: false, unreachable: false }
  }
  if (error instanceof UnsentRequestError) {
    const transient = code === null || !tlsCode.test(code)
    const said =
      code === 'ECONNREFUSED'
        ? `connection refused${atAddress(error)}`
        : `no connection (${code ?? error.message})`
    return { ...base, said, paid: false, transient, unreachable: true }
  }
  if (error instanceof SyntaxError)
    return unreadable('the answer is not the JSON that it says it is.', { transient: true })
  const broken = { ...base, paid: true, transient: true, unreachable: false }
  const givenUp = findGivenUp(error)
  if (givenUp !== null) return { ...broken, said: givenUp.message, advice: givenUp.advice }
  if (error instanceof CallTimeoutError) return { ...broken, said: error.message }
  return { ...broken, said: `broken connection: ${describe(error, code)}` }
}

export function readStatusFailure({ status, headers, text }: WireAnswer): CallFailure {
  const body = parseJson(text)
  const error = (body as { error?: unknown } | null | undefined)?.error
  const { message, code } = (error ?? {}) as { message?: unknown; code?: unknown }
  const { message: bare, detail } = (body ?? {}) as { message?: unknown; detail?: unknown }
  const said = message || error || bare || detail || (body ? '' : text) || 'status code (no body)'
  return statusFailure(status, {
    said: `${status} ${typeof said === 'string' && said !== error ? said : JSON.stringify(said)}`,
    code,
    headers,
  })
}

export function statusFailure(
  status: number,
  { said, code, headers }: { said: string; code: unknown; headers: WireHeaders | null },
): CallFailure {
  const outOfQuota = code === 'insufficient_quota' || noCredit.test(said)
  return {
    said,
    status,
    code: typeof code === 'string' ? code : null,
    headers,
    paid: false,
    transient: !outOfQuota && isRetriedStatus(status, headers),
    rateLimited: (status === 429 || status === overloaded) && !outOfQuota,
    unreachable: false,
  }
}

/** Anthropic's words for a key without credit, which come with a status of 400. */
const noCredit = /credit balance is too low/i
/** Anthropic's status for a provider that has more calls than it can answer. */
const overloaded = 529

/**
 * An answer without the requested content: paid.
 *
 * @param transient - whether a retry may help, as when a proxy answered in place of the model
 */
export function unreadable(
  said: string,
  { transient = false, advice }: { transient?: boolean; advice?: string },
): CallFailure {
  return {
    said,
    status: 200,
    code: null,
    headers: null,
    paid: true,
    transient,
    rateLimited: false,
    unreachable: false,
    ...(advice !== undefined && { advice }),
  }
}

/** Statuses with which a provider refuses every such call: the key, the permission, the credit, the model. */
const refusals = new Set([401, 402, 403, 404])
/** Reasoning models may refuse an answer as short as a probe's: they exist, and serve other requests. */
const tooShort = /could not finish|output limit was reached|higher max_tokens/i

export function failureOf({ said, status, transient, unreachable }: CallFailure): ModelFailure {
  if (status === 200) return 'no_answer'
  if (unreachable && transient) return 'unreachable'
  if (transient || tooShort.test(said)) return 'other'
  if (status === null || status === 429 || refusals.has(status) || noCredit.test(said)) return 'refused'
  return status < 500 ? 'invalid' : 'other'
}

const filterCodes = new Set(['content_filter', 'content_policy_violation'])
const filterWords = /content filtering policy|prompt was flagged/i

export function isContentFilter({ status, code, said }: CallFailure): boolean {
  return status === 400 && (filterCodes.has(code ?? '') || filterWords.test(said))
}

function describe(error: unknown, code: string | null): string {
  const message = error instanceof Error ? error.message : String(error)
  return code === null ? message : `${message} (${code})`
}

function findGivenUp(error: unknown): AnswerBodyError | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof AnswerBodyError) return current
  }
  return null
}

function atAddress(error: unknown): string {
  for (let current = error; current instanceof Error; current = current.cause) {
    const found: Error = current instanceof AggregateError ? (current.errors[0] ?? current) : current
    if ('address' in found && 'port' in found) return ` by ${found.address}:${found.port}`
  }
  return ''
}

function findCode(error: unknown): string | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current && typeof current.code === 'string') return current.code
    if (current instanceof AggregateError && current.errors.length > 0) {
      const inner = findCode(current.errors[0])
      if (inner !== null) return inner
    }
  }
  return null
}
