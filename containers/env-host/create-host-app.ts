import { type Context, Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import {
  createSessionSchema,
  forkSessionSchema,
  holdSessionSchema,
  restoreSessionSchema,
  stepSessionSchema,
} from '../../shared/core/contracts/session.ts'
import { describeInvalid } from '../../shared/core/contracts/validation/describe-invalid.ts'
import { environmentRoutes } from './environment-routes.ts'
import { errorText, type HostLog, logEvent } from './host-log.ts'
import { readBody } from './read-body.ts'
import { refusePages } from './refuse-pages.ts'
import { requireAccessKey } from './require-access-key.ts'
import type { SessionTable } from './session-table.ts'

/** Maximum bytes of a session's start, which includes the task's files: 24 MiB of them as base64, plus overhead. */
const largestStart = 36 * 1024 * 1024

/**
 * The host protocol over HTTP. Every unsuccessful answer has the usual body `{error: {type, code, message, param}}`.
 * @param accessKey required in a header of every request, whatever its path; null: no key is required
 * @example
 * const app = createHostApp(new SessionTable({ environments, slots: 100, sessionIdle: 600 }))
 * const answer = await app.request('/health')
 */
export function createHostApp(
  table: SessionTable,
  log: HostLog = logEvent,
  accessKey: string | null = null,
): Hono {
  const app = new Hono()
  if (accessKey !== null) app.use(requireAccessKey(accessKey))
  app.use(refusePages)
  app.get('/health', (context) => context.json(table.health()))
  app.post('/sessions', async (context) =>
    context.json(await table.create(await bodyOf(context, createSessionSchema, largestStart)), 201),
  )
  app.post('/sessions/:id/step', async (context) =>
    context.json(await table.step(context.req.param('id'), await bodyOf(context, stepSessionSchema))),
  )
  app.post('/sessions/:id/snapshot', async (context) => {
    const { token } = await bodyOf(context, holdSessionSchema)
    return context.json(await table.snapshot(context.req.param('id'), token))
  })
  app.post('/sessions/:id/restore', async (context) =>
    context.json(await table.restore(context.req.param('id'), await bodyOf(context, restoreSessionSchema))),
  )
  app.post('/sessions/:id/fork', async (context) =>
    context.json(await table.fork(context.req.param('id'), await bodyOf(context, forkSessionSchema)), 201),
  )
  app.delete('/sessions/:id', async (context) => {
    const id = context.req.param('id')
    const given = { token: Number(context.req.query('token') ?? Number.NaN) }
    await table.close(id, parsed(given, holdSessionSchema, 'query').token)
    return context.json({ object: 'session', id, deleted: true })
  })
  app.route('/environments', environmentRoutes(table.environments))
  app.notFound((context) => {
    const { method, path } = context.req
    const message = `This host does not know ${method} ${path}. It knows GET /health, GET /environments, POST /sessions, POST /sessions/{id}/step, /snapshot, /restore and /fork, and DELETE /sessions/{id}.`
    return answer(context, new EspalierError('not_found', message))
  })
  app.onError((error, context) => {
    if (EspalierError.isInstance(error)) return answer(context, error)
    log('error', 'request.failed', { path: context.req.path, error: errorText(error) })
    return answer(
      context,
      new EspalierError('internal', 'Something went wrong inside the host; see its log.'),
    )
  })
  return app
}

/** @param most bytes of the body; absent: the default */
async function bodyOf<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
  most?: number,
): Promise<z.output<Schema>> {
  const type = context.req.header('content-type') ?? ''
  // A web page can send other content types to any address without a preflight request.
  if (!/^application\/json\b/i.test(type)) {
    throw new EspalierError(
      'unsupported_media_type',
      'The body must be JSON: send it with the header "Content-Type: application/json".',
    )
  }
  return parsed(await readBody(context.req.raw, most), schema, 'json')
}

function parsed<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  part: 'json' | 'query',
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (!result.success) throw describeInvalid(result.error, { part, schema, value })
  return result.data
}

function answer(context: Context, error: EspalierError): Response {
  return context.json(error.toBody(), error.status as ContentfulStatusCode)
}
