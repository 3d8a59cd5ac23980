import { hash, timingSafeEqual } from 'node:crypto'
import { type Context, Hono, type MiddlewareHandler } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { listQuerySchema, toList } from '../../shared/core/contracts/list.ts'
import {
  createSessionSchema,
  forkSessionSchema,
  holdSessionSchema,
  restoreSessionSchema,
  stepSessionSchema,
} from '../../shared/core/contracts/session.ts'
import { describeInvalid } from '../../shared/core/contracts/validation/describe-invalid.ts'
import { toEnvironmentInfo } from '../../shared/environments/to-environment-info.ts'
import { errorText, type HostLog, logEvent } from './host-log.ts'
import { readBody } from './read-body.ts'
import { refusePages } from './refuse-pages.ts'
import type { ServedEnvironments } from './served-environments.ts'
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
  app.post('/sessions/:id/actions', async (context) => {
    const { token } = await bodyOf(context, holdSessionSchema)
    const session = context.req.param('id')
    const actions = await table.validActions(session, token)
    return context.json({ object: 'session.actions', session, actions: actions && [...actions] })
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
    const message = `This host does not know ${method} ${path}. It knows GET /health, GET /environments, POST /sessions, POST /sessions/{id}/step, /snapshot, /actions, /restore and /fork, and DELETE /sessions/{id}.`
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

/**
 * A host's description of its environments, so that its address suffices to use one: `GET /`, `GET /{id}` with the
 * guide of its first task, `GET /{id}/tasks?limit=&after=`.
 */
function environmentRoutes(environments: ServedEnvironments): Hono {
  const factsOf = (id: string) => environments.find(id).facts()
  const app = new Hono()
  app.get('/', async (context) => {
    const all = await Promise.all(environments.ids.map(factsOf))
    return context.json(toList(all.map(toEnvironmentInfo), false))
  })
  app.get('/:id', async (context) => {
    const facts = await factsOf(context.req.param('id'))
    const first = facts.tasks()[0]
    return context.json({ ...toEnvironmentInfo(facts), guide: first ? facts.describe(first) : null })
  })
  app.get('/:id/tasks', async (context) => {
    const facts = await factsOf(context.req.param('id'))
    const value = context.req.query()
    const query = listQuerySchema.safeParse(value)
    if (!query.success) throw describeInvalid(query.error, { part: 'query', schema: listQuerySchema, value })
    const { limit, after } = query.data
    const tasks = facts.tasks()
    const at = after === undefined ? 0 : tasks.findIndex(({ id }) => id === after) + 1
    if (at === 0 && after !== undefined) {
      throw new EspalierError('unknown_task', `${facts.id} has no task "${after}".`, { param: 'after' })
    }
    const page = tasks.slice(at, at + limit)
    return context.json(
      toList(
        page.map((task) => ({ object: 'task' as const, ...task })),
        at + limit < tasks.length,
      ),
    )
  })
  return app
}

/**
 * Refuses every request without the host's access key. The answer is that of a host that does not exist: a caller
 * with another host's key means the host that had this address before.
 */
function requireAccessKey(accessKey: string): MiddlewareHandler {
  const wanted = hash('sha256', `Bearer ${accessKey}`, 'buffer')
  return async (context, next) => {
    const given = hash('sha256', context.req.header('authorization') ?? '', 'buffer')
    if (timingSafeEqual(given, wanted)) return next()
    const message =
      'This host was launched by a fleet and answers its access key alone. Another host had this address before, or the header "Authorization" is missing.'
    const error = new EspalierError('unknown_host', message, { param: 'host' })
    return context.json(error.toBody(), 404)
  }
}
