import { z } from 'zod'
import { serveRequestSchema } from '../../shared/core/contracts/model-server.ts'
import { modelSourceSchema, registeredModelSchema } from '../../shared/core/contracts/registered-model.ts'
import { hostsPath } from './host-calls.ts'

/** The image, and the label, of machines that serve models. */
export const modelServerImage = 'model-server'

/** Beneath it: `{life}`, the job; and `{life}/{sha256}`, a part of its weights. */
export const servedPath = `${hostsPath}/served`

export const servedJobSchema = z.strictObject({
  tenant: z.string(),
  model: registeredModelSchema,
  settings: serveRequestSchema,
  base: z.union([registeredModelSchema, modelSourceSchema]).nullable(),
})

export type ServedJob = z.infer<typeof servedJobSchema>

/** The answer of `/health` with status 503 (it starts) or 500 (it failed). */
export const startingSchema = z.object({ note: z.string(), tail: z.array(z.string()).default([]) })
