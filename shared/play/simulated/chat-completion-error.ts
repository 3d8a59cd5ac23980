import type { z } from 'zod'

export interface OpenAiErrorBody {
  error: { message: string; type: string; param: string | null; code: string | null }
}

export function openAiError(
  message: string,
  options: { type?: string; param?: string | null; code?: string | null } = {},
): OpenAiErrorBody {
  const { type = 'invalid_request_error', param = null, code = null } = options
  return { error: { message, type, param, code } }
}

export function requestError(error: z.ZodError): OpenAiErrorBody {
  const issue = error.issues[0]
  const param = issue?.path.map(String).join('.') || null
  const message = `Invalid value for '${param ?? 'body'}': ${issue?.message ?? 'unknown'}.`
  return openAiError(message, { param, code: 'invalid_value' })
}
