import { z } from 'zod'
import { idempotencyDays } from '../../../shared/core/contracts/idempotency.ts'

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

export function idParameter(description: string, example: string) {
  return z.string().regex(idPattern).meta({ description, example })
}

export const idempotencyHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, 'It must have 1 to 255 printable ASCII characters')
    .optional()
    .meta({
      description: `A key that you choose for this request. Sent again with the same key, the request creates nothing new. The service remembers the key for ${idempotencyDays} days. Each tenant has its own keys.`,
      example: 'nightly-2026-11-21',
    }),
})

export const dryRunQuery = z.enum(['true', 'false']).optional().meta({
  description:
    '`true`: answers with a preview of the result and stores nothing. The API then ignores the Idempotency-Key.',
  example: 'false',
})

export function idempotencyOption(headers: z.infer<typeof idempotencyHeaders>): { idempotencyKey?: string } {
  const key = headers['Idempotency-Key']
  return key === undefined ? {} : { idempotencyKey: key }
}

/** The query of a list. A misspelt parameter is an error: ignoring it would return a different list. */
export function strictQuery<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape)
}

const eventSequence = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)

export const afterEvent = eventSequence
  .optional()
  .describe('Only events with a sequence number greater than this.')

export const streamHeaders = z.object({
  'Last-Event-ID': eventSequence
    .optional()
    .describe('The sequence number of the last event received. It takes precedence over `after`.'),
})

export const runParameters = z.object({ run: idParameter('The id of a run.', 'run-1') })
