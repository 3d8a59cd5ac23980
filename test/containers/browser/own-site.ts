import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { PNG } from 'pngjs'
import { taskPath } from '../../../shared/environments/webarena/pack-format.ts'
import { type SessionSite, sessionSitesFile } from '../../../shared/environments/webarena/session-files.ts'

/** A small shop that keeps a cart for each session, and knows a customer by a cookie. */
export interface OwnSite {
  address: string
  /** What was asked of it, in order. */
  asked: string[]
  /** Its pages answer 503 while it is set. */
  isDown: boolean
  /** Lines that stand above each page from now on, so that ids shift. */
  news: string[]
  /** It says no state while it is set. */
  isSilent: boolean
  /** Whether views of its picture are part of its state. */
  isCounting: boolean
  close(): void
}

/** What a session has changed. */
interface CopyOfSite {
  cart: string[]
  views: number
}

const fresh: CopyOfSite = { cart: [], views: 0 }
const plain = { isSilent: false, isCounting: false }
const lamps = ['Red lamp', 'Blue lamp', 'Green lamp']

export async function openOwnSite(): Promise<OwnSite> {
  const copies = new Map<string, CopyOfSite>()
  const app = new Hono()
  const site: OwnSite = { address: '', asked: [], isDown: false, news: [], close: () => undefined, ...plain }
  app.use(async (visit, next) => {
    site.asked.push(`${visit.req.method} ${visit.req.path}`)
    if (site.isDown) return visit.text('down', 503)
    return next()
  })
  app.post('/reset', async (visit) => {
    const { session, state } = await visit.req.json<{ session: string; state?: CopyOfSite }>()
    copies.set(session, structuredClone(state ?? fresh))
    setCookie(visit, 'copy', session)
    return visit.json({ session })
  })
  app.post('/close', async (visit) => visit.json(copies.delete((await visit.req.json()).session)))
  app.get('/state', (visit) =>
    site.isSilent ? visit.text('No.', 500) : visit.json(copies.get(visit.req.query('session') ?? '')),
  )
  app.post('/hook', async (visit) => {
    copies.set('shared', structuredClone(fresh))
    return visit.json(await visit.req.parseBody())
  })
  app.get('/lamp.png', (visit) => {
    if (site.isCounting) copyOf(visit).views += 1
    return visit.body(new Uint8Array(drawing()), 200, { 'content-type': 'image/png' })
  })
  app.get('/script', (visit) => visit.html(page('Script', site, '<script>document.title = "Ran"</script>')))
  app.get('/cart', (visit) =>
    visit.html(
      page(
        'Cart',
        site,
        `<ul class="cart">${copyOf(visit)
          .cart.map((each) => `<li>${each}</li>`)
          .join('')}</ul>`,
      ),
    ),
  )
  app.get('/add', (visit) => {
    copyOf(visit).cart.push(visit.req.query('lamp') ?? '')
    return visit.redirect('/cart')
  })
  app.get('/', (visit) => {
    const customer = getCookie(visit, 'customer') ?? 'nobody'
    const links = lamps.map(
      (lamp) => `<p><a href="/add?lamp=${encodeURIComponent(lamp)}">Add ${lamp}</a></p>`,
    )
    const body = `<p>Hello ${customer}</p>${links.join('')}<div class="shown"><img src="/lamp.png" alt="A lamp"></div>
      <a href="http://elsewhere.invalid/">Elsewhere</a><a href="/cart">Cart</a><a href="/script">Script</a>`
    return visit.html(page('Lamps', site, body))
  })

  function copyOf(visit: Parameters<typeof getCookie>[0]): CopyOfSite {
    const key = getCookie(visit, 'copy') ?? 'shared'
    const found = copies.get(key) ?? structuredClone(fresh)
    copies.set(key, found)
    return found
  }

  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise<void>((listening) => server.once('listening', listening))
  site.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  site.close = () => server.close()
  return site
}

function page(title: string, { news }: OwnSite, body: string): string {
  const lines = news.map((line) => `<p><a href="/">${line}</a></p>`).join('')
  return `<!doctype html><title>${title}</title>${lines}${body}`
}

/** A picture with some structure, so that it is like itself alone. */
export function drawing(): Buffer {
  const picture = new PNG({ width: 40, height: 30 })
  for (let pixel = 0; pixel < 1200; pixel += 1) {
    const light = ((pixel % 40) * 6 + Math.floor(pixel / 40) * 3) % 256
    picture.data.set([light, 255 - light, (light * 7) % 256, 255], pixel * 4)
  }
  return PNG.sync.write(picture)
}

export const copied = {
  kind: 'sessions',
  reset: '/reset',
  close: '/close',
} as const satisfies SessionSite['sharing']

/** What a request for a session of a task brings. */
export function filesOfTask(
  site: OwnSite,
  task: object,
  {
    sharing = copied,
    pictures = {},
  }: { sharing?: SessionSite['sharing']; pictures?: Record<string, string> } = {},
): Record<string, string> {
  const cookie = { name: 'customer', value: 'ann', domain: '127.0.0.1', path: '/', expires: -1 }
  const state = { cookies: [{ ...cookie, httpOnly: false, secure: false, sameSite: 'Lax' }], origins: [] }
  const own = { address: site.address, hosts: [new URL(site.address).host], sharing }
  return {
    [taskPath('1')]: JSON.stringify({ task: { ...usualTask, ...task }, pictures }),
    [sessionSitesFile]: JSON.stringify({ sites: { shopping: own }, storage_state: JSON.stringify(state) }),
  }
}

const usualTask = {
  task_id: 1,
  sites: ['shopping'],
  start_url: '__SHOPPING__/',
  intent: 'Put the blue lamp into the cart.',
  storage_state: './.auth/shopping_state.json',
  eval: {
    eval_types: ['program_html'],
    reference_answers: null,
    reference_url: '',
    program_html: [
      {
        url: '__SHOPPING__/cart',
        locator: "document.querySelector('.cart').innerText",
        required_contents: { exact_match: 'Blue lamp' },
      },
    ],
  },
}
