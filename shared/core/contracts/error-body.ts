import { z } from 'zod'

export const errorBodySchema = z
  .object({
    error: z.object({
      type: z.enum([
        'invalid_request_error',
        'authentication_error',
        'permission_error',
        'not_found_error',
        'conflict_error',
        'server_error',
      ]),
      code: z.string(),
      message: z.string().describe('The problem and its remedy.'),
      param: z.string().nullable().describe('The field at fault, as a dotted path, if there is one.'),
    }),
  })
  .meta({ id: 'Error' })

export type ErrorBody = z.infer<typeof errorBodySchema>
