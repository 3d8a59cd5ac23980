import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { pageHeaders } from '../../shared/core/contracts/page-headers.ts'
import { servePages } from './serve-pages.ts'

/**
 * Answers the gateway's requests without a key outside the API: the dashboard, and nothing of any tenant.
 * @param storage - the origin of signed addresses
 */
export function answerPages(folder: string, storage: string | undefined) {
  const place = { storage, overTls: true }
  const pages = servePages(folder, place)
  const app = new Hono().all('*', async ({ req, json, redirect }) => {
    const page = pages(req.raw)
    if (page !== null) return page
    // As the API answers programs at its root.
    if (req.path === '/') return redirect('/docs', 302)
    const error = new EspalierError(
      'not_found',
      `There is nothing at ${req.path}. GET /openapi.json lists every address.`,
    )
    return json(error.toBody(), 404, pageHeaders(place))
  })
  return handle(app)
}
