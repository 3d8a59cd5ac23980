import { z } from 'zod'
import { siteNameSchema } from '../site-names.ts'
import type { ValueSchema } from './normalize.ts'

const valueSchema = z.looseObject({}).transform((schema) => schema as ValueSchema)
const objectOf = <Schema extends z.ZodType>(schema: Schema) => z.record(z.string(), schema).nullish()
const listed = z.array(z.string()).nullish()

const responseSchema = z
  .looseObject({
    task_type: z.string().optional(),
    performed_operation: z.string().optional(),
    status: z.string(),
    retrieved_data: z.array(z.unknown()).nullish(),
  })
  .transform(({ task_type, performed_operation, ...rest }) => ({
    ...rest,
    task_type: (task_type ?? performed_operation ?? '').toUpperCase(),
    status: rest.status.toUpperCase(),
  }))
  .refine(({ task_type }) => ['RETRIEVE', 'MUTATE', 'NAVIGATE'].includes(task_type), {
    path: ['task_type'],
    message: 'must be RETRIEVE, MUTATE or NAVIGATE',
  })

const responseCheckSchema = z.strictObject({
  evaluator: z.literal('AgentResponseEvaluator'),
  ordered: z.boolean().default(false),
  results_schema: valueSchema,
  expected: responseSchema,
})

const eventCheckSchema = z.strictObject({
  evaluator: z.literal('NetworkEventEvaluator'),
  last_event_only: z.boolean().default(true),
  ignored_query_params: listed,
  ignored_query_params_patterns: listed,
  decode_base64_query: z.boolean().default(false),
  query_params_schema: valueSchema.nullish(),
  post_data_schema: valueSchema.nullish(),
  ignored_post_data_params_patterns: listed,
  should_not_exist: z.boolean().default(false),
  expected: z.strictObject({
    url: z.union([z.string().min(1), z.array(z.string().min(1)).min(2)]),
    headers: objectOf(z.union([z.string(), z.array(z.string())])),
    query_params: objectOf(z.array(z.unknown())),
    post_data: objectOf(z.unknown()),
    response_content: objectOf(z.unknown()),
    response_status: z.int().default(200),
    http_method: z.string().default('GET'),
    response_cookies: objectOf(z.unknown()),
  }),
})

export const verifiedTaskSchema = z.object({
  task_id: z.union([z.int().nonnegative(), z.string().min(1)]).transform(String),
  sites: z.array(siteNameSchema).min(1),
  start_urls: z.array(z.string().min(1)).min(1),
  intent: z.string().min(1),
  revision: z.int().min(1).default(1),
  eval: z
    .array(z.discriminatedUnion('evaluator', [responseCheckSchema, eventCheckSchema]))
    .refine(
      (checks) => checks.some(({ evaluator }) => evaluator === 'AgentResponseEvaluator'),
      'must have an AgentResponseEvaluator',
    ),
})

export type VerifiedTask = z.infer<typeof verifiedTaskSchema>
export type ResponseCheck = z.infer<typeof responseCheckSchema>
export type EventCheck = z.infer<typeof eventCheckSchema>

export function isVerified(written: unknown): boolean {
  return Array.isArray((written as { eval?: unknown } | null)?.eval)
}
