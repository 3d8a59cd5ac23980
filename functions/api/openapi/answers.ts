import type { z } from 'zod'
import { errorBodySchema } from '../../../shared/core/contracts/error-body.ts'

export function json<Schema extends z.ZodType>(description: string, schema: Schema, example?: object) {
  return {
    description,
    content: { 'application/json': { schema, ...(example === undefined ? {} : { example }) } },
  }
}

export function body<Schema extends z.ZodType>(schema: Schema, example: object) {
  return { required: true, ...json('The request.', schema, example) }
}

export function optionalBody<Schema extends z.ZodType>(schema: Schema, example: object) {
  return { ...body(schema, example), required: false }
}

function error(
  description: string,
  code: string,
  message: string,
  param: string | null,
  type = 'invalid_request_error',
) {
  return json(description, errorBodySchema, { error: { type, code, message, param } })
}

export const refused = {
  401: {
    ...error(
      'The request has no valid API key.',
      'missing_key',
      'This needs an API key: send the header "Authorization: Bearer esp_…".',
      null,
      'authentication_error',
    ),
    headers: { 'WWW-Authenticate': { description: 'Always `Bearer`.', schema: { type: 'string' as const } } },
  },
}

export const refusedScope = {
  ...refused,
  403: error(
    'The key lacks the required scope.',
    'missing_scope',
    'This API key lacks the scope "runs:write".',
    null,
    'permission_error',
  ),
}

export const refusedRole = {
  ...refused,
  403: error(
    'The caller does not operate the service.',
    'not_operator',
    'No API key may do this, only the operator of the service.',
    null,
    'permission_error',
  ),
}

export const badRequest = {
  400: error(
    'The request is invalid; `param` names the field.',
    'unknown_field',
    'There is no field "task". Did you mean "tasks"?',
    'task',
  ),
}

export const badBody = {
  ...badRequest,
  413: error('The body is too large.', 'body_too_large', 'The body is larger than 8 MB.', null),
  415: error('The body is not labelled as JSON.', 'unsupported_media_type', 'The body must be JSON.', null),
}

export const notFound = {
  404: error(
    'There is no such object.',
    'not_found',
    'There is no run with the id "run-1".',
    'run',
    'not_found_error',
  ),
}

export const conflict = {
  409: error(
    'The request conflicts with the current state of an object.',
    'invalid_state',
    'The run is running; only an ended run can be extended.',
    'run',
    'conflict_error',
  ),
}

export const failure = {
  500: error(
    'Internal error of the service.',
    'internal',
    'Something went wrong inside the service.',
    null,
    'server_error',
  ),
}

const elsewhere = {
  description:
    'The response is a stored file: `Location` is an address that downloads it without a key, for 15 minutes.',
  headers: { Location: { description: 'The address to follow.', schema: { type: 'string' as const } } },
}

export const storedElsewhere = { 307: elsewhere }

export const seeElsewhere = { 303: elsewhere }
