import { readFileSync } from 'node:fs'
import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { EspalierError, errorCodes } from '../../../shared/core/contracts/errors.ts'
import { addLogIn, readAccount } from './log-in.ts'
import { showPage } from './page-layout.ts'
import { readPicture } from './pictures.ts'
import type { Site, SiteApp, SiteVariables, Visit } from './site.ts'
import { SiteSessions, type SiteState, sharedKey, siteStateSchema } from './site-sessions.ts'

/** The cookie that names a visitor's copy. It is the same for all sites: one key stands for one episode. */
export const sessionCookie = 'site_session'

const style = readFileSync(new URL('site.css', import.meta.url), 'utf8')

export interface ServedSite {
  readonly app: SiteApp
  readonly sessions: SiteSessions
}

/**
 * Puts a site behind HTTP. Besides its pages it has an environment's routes: `GET /health`, `POST /reset` and `POST
 * /close` with a session key as `session` (in JSON, in a form or in the query), which answers with the cookie of that
 * copy, and `GET /state?session=`, whose answer `POST /reset` accepts as `state`.
 */
export function createSiteApp(site: Site): ServedSite {
  const sessions = new SiteSessions((database) => site.fill(database))
  const app: SiteApp = new Hono<{ Variables: SiteVariables }>()

  app.get('/health', (visit) => visit.json({ status: 'ok', site: site.name, sessions: sessions.count }))
  app.post('/reset', async (visit) => {
    const { key, state } = await readCopy(visit)
    sessions.reset(key, state)
    if (key !== sharedKey) setCookie(visit, sessionCookie, key, { path: '/', sameSite: 'Lax' })
    return visit.json({ site: site.name, session: key })
  })
  app.get('/state', (visit) => {
    const key = visit.req.query('session') ?? sharedKey
    const state = sessions.state(key)
    return state === undefined ? visit.text(noSession(site, key), 503) : visit.json(state)
  })
  app.post('/close', async (visit) => {
    const { key } = await readCopy(visit)
    return visit.json({ site: site.name, session: key, closed: key !== sharedKey && sessions.close(key) })
  })
  app.get('/site.css', (visit) => visit.body(style, 200, { 'content-type': 'text/css; charset=utf-8' }))
  app.get('/pictures/:file', (visit) => {
    const bytes = readPicture(visit.req.param('file'))
    return bytes === undefined
      ? visit.text('There is no such picture.', 404)
      : visit.body(bytes, 200, { 'content-type': 'image/png' })
  })

  app.use(async (visit, next) => {
    const key = getCookie(visit, sessionCookie) ?? sharedKey
    const session = sessions.find(key)
    if (session === undefined) {
      // A fault of the service, not a page: the agent's changes are lost, and must not be scored.
      return visit.text(noSession(site, key), 503)
    }
    visit.set('session', session)
    visit.set('account', readAccount(site, visit))
    return next()
  })
  addLogIn(site, app)
  site.addRoutes(app)
  app.notFound((visit) =>
    showPage(
      site,
      visit,
      'Page not found',
      html`<p>There is no such page. <a href="/">To the start page</a></p>`,
      404,
    ),
  )
  app.onError((error, visit) => {
    if (!(error instanceof EspalierError)) throw error
    return visit.json({ error: { code: error.code, message: error.message } }, errorCodes[error.code])
  })
  return { app, sessions }
}

function noSession({ title }: Site, key: string): string {
  return `${title} has no session "${key}". POST /reset with it first.`
}

async function readCopy(visit: Visit): Promise<{ key: string; state?: SiteState }> {
  const isJson = visit.req.header('content-type')?.startsWith('application/json') === true
  const body: unknown = isJson ? await visit.req.json().catch(refuseJson) : await visit.req.parseBody()
  const said: { session?: unknown; state?: unknown } = typeof body === 'object' && body !== null ? body : {}
  const key = visit.req.query('session') ?? said.session ?? sharedKey
  if (typeof key !== 'string') {
    throw new EspalierError('invalid_request', 'session is a text: the key of the copy.', {
      param: 'session',
    })
  }
  if (said.state === undefined) return { key }
  const { data: state } = siteStateSchema.safeParse(said.state)
  if (state !== undefined) return { key, state }
  throw new EspalierError('invalid_request', 'state is what GET /state answered.', { param: 'state' })
}

function refuseJson(error: unknown): never {
  throw new EspalierError('invalid_json', 'The body is no JSON. Send {"session": "KEY"}.', { cause: error })
}
