import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Cookie } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { KeptPages } from '../../../containers/browser/kept-pages.ts'
import { SiteCopies } from '../../../containers/browser/site-copies.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

type Counted = { count: number }

interface Shop {
  /** What its reset makes of a state. */
  resetTo?: (state: Counted | undefined) => number
  /** Comes with its state. */
  large?: string
  /** Whether it keeps a state no more. */
  isGone?: (state: Counted | undefined) => boolean
  /** Awaited before a state is reset. */
  resetAfter?: (state: Counted | undefined) => Promise<void> | undefined
  /** Where its state is read. */
  state?: string
}

/** A shop that counts. It forgets a copy that is given back. */
async function openShop({
  resetTo = (state) => state?.count ?? 0,
  large = '',
  isGone = () => false,
  resetAfter = () => undefined,
  state: statePath = '/state',
}: Shop = {}) {
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://shop')
    if (request.method === 'GET') {
      const isState = statePath.startsWith(url.pathname) && (url.searchParams.get('of') ?? 'copy') === 'copy'
      const count = counts.get(url.searchParams.get('session') ?? '')
      response.writeHead(isState ? 200 : 404).end(JSON.stringify({ count, large }))
      return
    }
    let body = ''
    for await (const part of request) body += part
    const { session, state } = JSON.parse(body) as { session: string; state?: Counted }
    if (url.pathname === '/close') counts.delete(session)
    else if (isGone(state)) response.writeHead(404)
    else {
      await resetAfter(state)
      counts.set(session, resetTo(state))
      response.setHeader('set-cookie', `copy=${session}; Path=/`)
    }
    response.end('{}')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const sharing = { kind: 'sessions' as const, reset: '/reset', close: '/close', state: statePath }
  const site = { address: `http://127.0.0.1:${port}`, hosts: [`127.0.0.1:${port}`], sharing }
  return { counts, site }
}

type Site = Awaited<ReturnType<typeof openShop>>['site']

const copiesOf = (shopping: Site, reddit?: Site) =>
  new SiteCopies(
    { sites: { shopping, ...(reddit && { reddit }) }, storage_state: null },
    reddit ? ['shopping', 'reddit'] : ['shopping'],
    false,
  )

/** The cookies of a context that shows who it is. */
async function cookiesOf(copies: SiteCopies): Promise<Cookie[]> {
  const cookies: Cookie[] = []
  const context = {
    async addCookies(given: readonly { url: string; name: string; value: string }[]) {
      cookies.push(
        ...given.map(({ url, ...cookie }) => ({ ...cookie, domain: new URL(url).hostname }) as Cookie),
      )
    },
  }
  await copies.identify(context as unknown as BrowserContext)
  return cookies
}

test('copies of one session begin where those of another were, by cookies of their own', async () => {
  const { counts, site } = await openShop()
  const [one, other] = [copiesOf(site), copiesOf(site)]
  await one.reset()
  for (const key of counts.keys()) counts.set(key, 3)
  const states = await one.states()
  await other.restore(states)
  await other.verify(states)
  expect(await other.states()).toEqual({ shopping: { count: 3, large: '' } })
  expect(other.haveStates).toBe(true)
  const [cookie] = await cookiesOf(other)
  expect(counts.get(cookie?.value ?? '')).toBe(3)
  expect(await cookiesOf(one)).not.toEqual([cookie])
})

test('cookies that are not of the copies stay, and a cookie of theirs that has changed is found out', async () => {
  const { site } = await openShop()
  const copies = copiesOf(site)
  await copies.reset()
  const own = await cookiesOf(copies)
  const elsewhere = { name: 'copy', value: 'a', domain: 'forum.test' } as Cookie
  const account = { name: 'account', value: 'b', domain: '127.0.0.1' } as Cookie
  expect(copies.withoutOwn([elsewhere, ...own, account])).toEqual([elsewhere, account])
  expect(copies.withoutOwn([{ ...own[0], value: 'another' } as Cookie])).toBeNull()
  expect(copies.withoutOwn([account])).toBeNull()
})

test('each start has copies by a key of its own, and those before are given back', async () => {
  const { counts, site } = await openShop()
  const copies = copiesOf(site)
  await copies.reset()
  const [first] = counts.keys()
  await copies.reset()
  await copies.restore({ shopping: { count: 2 } })
  expect([...counts.values()]).toEqual([2])
  expect(counts.has(first ?? '')).toBe(false)
  await copies.close()
  expect(counts.size).toBe(0)
})

test('a reset that ends late does not reach the copies that came after it', async () => {
  const isGone = (state: Counted | undefined) => state?.count === 1
  const shop = await openShop({ isGone })
  const ends = Promise.withResolvers<void>()
  const forum = await openShop({ resetAfter: (state) => (isGone(state) ? ends.promise : undefined) })
  const copies = copiesOf(shop.site, forum.site)
  await copies.reset()
  const late = { shopping: { count: 1 }, reddit: { count: 1 } }
  await expect(copies.restore(late)).rejects.toMatchObject({ code: 'endpoint_failed' })
  await copies.reset()
  ends.resolve()
  await expect.poll(() => [...forum.counts.values()]).toContain(1)
  expect(await copies.states()).toMatchObject({ shopping: { count: 0 }, reddit: { count: 0 } })
  expect((await cookiesOf(copies)).map(({ value }) => forum.counts.get(value))).toEqual([0])
})

test('a site that is elsewhere after it was given a state is found out', async () => {
  const { counts, site } = await openShop({ resetTo: () => 0 })
  const one = copiesOf(site)
  await one.reset()
  for (const key of counts.keys()) counts.set(key, 3)
  const states = await one.states()
  const other = copiesOf(site)
  await other.restore(states)
  await expect(other.verify(states)).rejects.toMatchObject({
    code: 'state_not_kept',
    message: expect.stringContaining('"shopping" is in another state than its reset was given'),
  })
})

test('the address of a state may have a query of its own', async () => {
  const { site } = await openShop({ state: '/state?of=copy' })
  const copies = copiesOf(site)
  await copies.reset()
  expect(await copies.states()).toEqual({ shopping: { count: 0, large: '' } })
})

test('a state of more than a million characters is refused', async () => {
  const { site } = await openShop({ large: 'a'.repeat(1_000_001) })
  const one = copiesOf(site)
  await one.reset()
  await expect(one.states()).rejects.toMatchObject({ message: expect.stringContaining('answered more than') })
})

test('a host keeps pages up to a number of bytes, the copies of sites counted', () => {
  const pages = new KeptPages()
  const large = { shopping: { text: 'a'.repeat(20_000_000) } }
  const document = {
    address: '',
    referer: undefined,
    status: 200,
    headers: {},
    body: Buffer.alloc(10_000_000),
  }
  const put = () => pages.put({ sites: large, cookies: [], document, mouse: null, actions: [], text: '' })
  const [first, second, third] = [put(), put(), put()]
  expect(() => pages.find(first)).toThrow('does not keep the state')
  expect(pages.find(second).text).toBe('')
  expect(pages.find(third).document.body).toHaveLength(10_000_000)
})
