import type { ErrorBody } from '../contracts/error-body.ts'

export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly param: string | null

  constructor(status: number, body: ErrorBody['error']) {
    super(body.message)
    this.status = status
    this.code = body.code
    this.param = body.param
  }

  static async from(response: Response): Promise<ApiError> {
    const text = await response.text()
    return new ApiError(response.status, readBody(text) ?? foreignBody(response, text))
  }
}

const foreignError = { type: 'server_error', code: 'unexpected_answer', param: null } as const

function readBody(text: string): ErrorBody['error'] | null {
  try {
    const body = JSON.parse(text) as Partial<ErrorBody> | null
    if (typeof body?.error?.message !== 'string') return null
    // A gateway's own answer may have only a message.
    return { ...foreignError, ...body.error }
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** A gateway refuses keys in its own words: 401 without one, 403 for a wrong one. The service's own 403 says more. */
function isRefusedKey({ status }: Response, text: string): boolean {
  return (
    status === 401 || (status === 403 && /^\s*\{"message":\s*"(Forbidden|Unauthorized)"\}\s*$/.test(text))
  )
}

function foreignBody(response: Response, text: string): ErrorBody['error'] {
  if (isRefusedKey(response, text)) {
    const message = 'The service knows no such API key: it is missing, unknown, revoked or expired.'
    return { type: 'authentication_error', code: 'invalid_key', message, param: null }
  }
  const line = text.trim().split('\n')[0]?.slice(0, 200)
  const message = `The service answered ${response.status}${line ? `: ${line}` : ' without saying why'}.`
  return { ...foreignError, message }
}
