import { z } from 'zod'
import { declaredBounds } from '../../core/contracts/catalogue.ts'
import { errorBodySchema } from '../../core/contracts/error-body.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { listSchema } from '../../core/contracts/list.ts'
import { registeredFetch } from '../../core/outbound/outbound-fetch.ts'
import type { EnvironmentGuide, EnvironmentTask, HostedEnvironment } from '../environment.ts'
import { actionToolSchema } from '../tools/action-tool.ts'

const longestAnswer = 60_000
const pageSize = 1000
const mostTasks = 1_000_000

const guideSchema: z.ZodType<EnvironmentGuide> = z.object({
  rules: z.string(),
  example: z
    .object({
      observation: z.string(),
      turns: z.array(z.object({ thought: z.string(), action: z.string(), observation: z.string() })),
    })
    .nullable(),
  program: z.string().exactOptional(),
  tools: z.array(actionToolSchema).exactOptional(),
})

const factsSchema = z.object({
  id: z.string(),
  description: z.string(),
  snapshot: z.enum(['native', 'replay', 'none']),
  deterministic: z.boolean(),
  success_threshold: z.number(),
  default_max_steps: z.int().positive(),
  ...declaredBounds,
})

const detailSchema = factsSchema.extend({ guide: guideSchema.nullable() })

const taskSchema = z
  .object({
    id: z.string(),
    split: z.string(),
    type: z.string(),
    description: z.string(),
    max_steps: z.int().optional(),
    min_steps: z.int().optional(),
  })
  .transform(
    ({ max_steps, min_steps, ...task }): EnvironmentTask => ({
      ...task,
      ...(max_steps !== undefined && { max_steps }),
      ...(min_steps !== undefined && { min_steps }),
    }),
  )

/**
 * Opens the environment that a server of the host protocol plays. Requests its description, guide and tasks once,
 * here.
 * @param there the server's address, the environment's name on it, and its id here
 * @throws EspalierError `host_unreachable`; `unknown_environment` with the server's words; `endpoint_failed` for a
 * server that breaks the protocol
 */
export async function openAddressEnvironment(there: {
  id: string
  address: string
  environment: string
}): Promise<HostedEnvironment> {
  const { id, environment } = there
  const address = there.address.replace(/\/+$/, '')
  // Errors use this name instead of the address, because tenants see them.
  const name = `The server of "${id}"`
  const path = `/environments/${encodeURIComponent(environment)}`
  const { guide, ...facts } = await ask({ address, name }, path, detailSchema)
  const tasks: EnvironmentTask[] = []
  for (let after: string | undefined, more = true; more && tasks.length < mostTasks; ) {
    const query = new URLSearchParams({ limit: String(pageSize), ...(after !== undefined && { after }) })
    const page = await ask({ address, name }, `${path}/tasks?${query}`, listSchema(taskSchema))
    tasks.push(...page.data)
    after = page.data.at(-1)?.id
    more = page.has_more && after !== undefined
  }
  const known = guide ?? { rules: facts.description, example: null }
  return {
    ...facts,
    id,
    tasks: () => tasks,
    describe: () => known,
    host: { kind: 'address', address, environment },
  }
}

export async function listAddressEnvironments(address: string): Promise<string[]> {
  const name = `The server at ${address}`
  const list = await ask(
    { address: address.replace(/\/+$/, ''), name },
    '/environments',
    listSchema(factsSchema),
  )
  return list.data.map(({ id }) => id)
}

async function ask<Schema extends z.ZodType>(
  { address, name }: { address: string; name: string },
  path: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  let status: number
  let body: unknown
  try {
    const response = await registeredFetch(`${address}${path}`, {
      redirect: 'error',
      signal: AbortSignal.timeout(longestAnswer),
    })
    status = response.status
    body = await response.json()
  } catch (cause) {
    if (cause instanceof SyntaxError) throw failed(name, path, 'what is no JSON')
    const reason = cause instanceof Error ? cause.message : String(cause)
    const message = `${name} cannot be reached (${reason}). Start it, or mend its address.`
    throw new EspalierError('host_unreachable', message, { cause })
  }
  const refusal = errorBodySchema.safeParse(body)
  if (refusal.success) {
    const { code, message } = refusal.data.error
    if (code === 'unknown_environment') throw new EspalierError(code, `${name}: ${message}`)
    throw failed(name, path, `the error "${message}"`)
  }
  const parsed = schema.safeParse(body)
  if (status === 200 && parsed.success) return parsed.data
  const at = parsed.success
    ? `the status ${status}`
    : `another shape (${parsed.error.issues[0]?.path.join('.')})`
  throw failed(name, path, at)
}

function failed(name: string, path: string, what: string): EspalierError {
  return new EspalierError(
    'endpoint_failed',
    `${name} answered ${path} with ${what}. Check that it speaks the host protocol (docs/own-environments.md).`,
  )
}
