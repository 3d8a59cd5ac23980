import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawPicture } from '../../../containers/sites/drawings/draw-picture.ts'
import type { ServedSite } from '../../../containers/sites/server/create-site-app.ts'
import { pictureFile } from '../../../containers/sites/server/pictures.ts'
import type { SiteName } from '../../../containers/sites/server/site.ts'
import { SiteSessions, siteStateSchema } from '../../../containers/sites/server/site-sessions.ts'
import { allSites } from '../../../containers/sites/server/start-sites.ts'
import { addresses, openSites, resetSites, SiteVisitor } from './site-visitor.ts'

let sites: Record<SiteName, ServedSite>
beforeAll(() => {
  sites = openSites()
})
afterAll(() => {
  for (const { sessions } of Object.values(sites)) sessions.closeAll()
})

/** Every page that links lead to from the start page, with its text. */
async function crawl(visitor: SiteVisitor, site: SiteName): Promise<Map<string, string>> {
  const pages = new Map<string, string>()
  const waiting = [`${addresses[site]}/`]
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (pages.has(address)) continue
    await visitor.open(address)
    expect(visitor.status, `${address} of ${site}`).toBe(200)
    pages.set(address, visitor.text)
    const { document } = visitor
    const links = [...document.querySelectorAll('a[href], link[href], img[src]')].map(
      (each) => each.getAttribute('href') ?? each.getAttribute('src') ?? '',
    )
    expect(
      links.filter((link) => !/^(\/(?!\/)|data:,$)/.test(link)),
      `outside links of ${address}`,
    ).toEqual([])
    for (const link of document.querySelectorAll('a[href]')) {
      const next = new URL(link.getAttribute('href') ?? '', address)
      next.hash = ''
      waiting.push(next.href)
    }
  }
  return pages
}

describe.each(allSites.map((site) => [site.name, site] as const))('the site %s', (name, site) => {
  test('answers every page that its links lead to, with nothing from outside, and without a script', async () => {
    await resetSites(sites, 'crawl')
    const pages = await crawl(new SiteVisitor(sites, { session: 'crawl' }), name)
    expect(pages.size).toBeGreaterThan(50)
    for (const [address, text] of pages) {
      const addressed = [...text.matchAll(/(?:https?:)?\/\/[\w.-]+/g)].map(([found]) => found)
      expect(addressed, address).toEqual([])
      expect(text.includes('<script'), address).toBe(false)
      expect(/<input(?![^>]*type="hidden")(?![^>]*(?:id=|aria-label=))/.test(text), address).toBe(false)
    }
  })

  test('shows the same bytes in every process and after every reset', async () => {
    const other = openSites()
    await resetSites(sites, 'bytes')
    await resetSites(other, 'bytes')
    const mine = await crawl(new SiteVisitor(sites, { session: 'bytes' }), name)
    expect(await crawl(new SiteVisitor(other, { session: 'bytes' }), name)).toEqual(mine)
    for (const { sessions } of Object.values(other)) sessions.closeAll()
  })

  test('is reset to an equal state, in less than 50 ms of processor time', () => {
    const sessions = new SiteSessions((database) => site.fill(database))
    const fresh = sessions.reset('a').database.serialize()
    const changed = sessions.reset('b')
    const tables = changed.sql.all`select name from sqlite_schema where type = 'table'`
    expect(tables.length).toBeGreaterThan(4)
    changed.database.exec(`create table more (x); insert into more values (1)`)
    expect(Buffer.compare(changed.database.serialize(), fresh)).not.toBe(0)
    const times = Array.from({ length: 20 }, () => {
      const start = process.threadCpuUsage()
      sessions.reset('b')
      const { user, system } = process.threadCpuUsage(start)
      return (user + system) / 1000
    }).toSorted((one, other) => one - other)
    expect(Buffer.compare(sessions.reset('b').database.serialize(), fresh)).toBe(0)
    expect(times[10]).toBeLessThan(50)
    sessions.closeAll()
  })

  test('lets its account in by the form, and no other', async () => {
    const visitor = new SiteVisitor(sites, { isLoggedIn: false })
    await visitor.open(`${addresses[name]}/account`)
    expect(visitor.text).toContain('Please log in first.')
    const { login, password } = site.account
    await visitor.press('Log in', { 'Name or e-mail': login, Password: `${password}?` })
    expect([visitor.status, visitor.document.querySelector('[role=alert]')?.textContent]).toEqual([
      422,
      'Name or password is wrong.',
    ])
    await visitor.press('Log in', { 'Name or e-mail': login, Password: password })
    expect(visitor.url).toBe(`${addresses[name]}/account`)
    await visitor.press('Log out')
    expect(visitor.text).toContain('Log in')
  })

  test('has every picture that its data names, made of the drawing as it is', () => {
    const folder = new URL('../../../containers/sites/pictures/', import.meta.url)
    const files = new Set(readdirSync(folder))
    const drawn = JSON.parse(readFileSync(new URL('drawings.data.json', folder), 'utf8')) as Record<
      string,
      string
    >
    for (const picture of site.pictures) {
      expect(files.has(pictureFile(picture)), picture).toBe(true)
      expect(
        drawn[picture],
        `${picture} was drawn otherwise: run containers/sites/drawings/make-pictures.ts`,
      ).toBe(createHash('sha256').update(drawPicture(picture)).digest('hex'))
    }
  })
})

test('sessions that change the same site do not see each other', async () => {
  for (const key of ['one', 'two']) await resetSites(sites, key)
  const [one, two] = ['one', 'two'].map((session) => new SiteVisitor(sites, { session })) as [
    SiteVisitor,
    SiteVisitor,
  ]
  await Promise.all(
    [one, two].map(async (visitor, index) => {
      await visitor.open('__SHOPPING__/product/play-ball')
      await visitor.press('Add to cart', { Quantity: String(index + 2) })
      await visitor.open('__REDDIT__/submit')
      await visitor.press('Publish the post', { Forum: 'Birds', Title: `Post of ${index}`, Text: '' })
    }),
  )
  await one.open('__SHOPPING__/cart')
  expect(one.document.querySelector('#total')?.textContent).toBe('$19.80')
  await two.open('__SHOPPING__/cart')
  expect(two.document.querySelector('#total')?.textContent).toBe('$29.70')
  expect((await one.open('__REDDIT__/f/birds')).text).not.toContain('Post of 1')
  const shared = new SiteVisitor(sites)
  expect((await shared.open('__REDDIT__/f/birds')).text).not.toContain('Post of')
})

test('a reset takes what was done away, and a closed session is gone, not fresh', async () => {
  await resetSites(sites, 'again')
  const visitor = new SiteVisitor(sites, { session: 'again' })
  await visitor.open('__CLASSIFIEDS__/item/20')
  await visitor.press('Delete this ad')
  await visitor.open('__CLASSIFIEDS__/item/20')
  expect(visitor.status).toBe(404)
  await resetSites(sites, 'again')
  await visitor.open('__CLASSIFIEDS__/item/20')
  expect(visitor.status).toBe(200)
  const { app } = sites.classifieds
  const body = new URLSearchParams({ session: 'again' })
  expect(await (await app.request('/close', { method: 'POST', body })).json()).toMatchObject({ closed: true })
  await visitor.open('__CLASSIFIEDS__/item/20')
  expect([visitor.status, visitor.text]).toEqual([503, expect.stringContaining('POST /reset')])
})

test('a copy begins with the state that another was at, with its numbers and what its next page says', async () => {
  await resetSites(sites, 'left')
  const visitor = new SiteVisitor(sites, { session: 'left' })
  const post = async (by: SiteVisitor, title: string) => {
    await by.open('__REDDIT__/submit')
    await by.press('Publish the post', { Forum: 'Birds', Title: title, Text: '' })
    return by.url
  }
  await post(visitor, 'Kept')
  // Its number is given to no later one.
  const deleted = await post(visitor, 'Deleted')
  await visitor.press('Delete this post')
  const { app } = sites.reddit
  const state = siteStateSchema.parse(await (await app.request('/state?session=left')).json())
  const headers = { 'content-type': 'application/json' }
  const reset = (body: object) =>
    app.request('/reset', { method: 'POST', headers, body: JSON.stringify(body) })
  expect((await reset({ session: 'right', state })).status).toBe(200)
  const other = new SiteVisitor(sites, { session: 'right' })
  const [mine, others] = [await visitor.open('__REDDIT__/f/birds'), await other.open('__REDDIT__/f/birds')]
  expect(others.text).toBe(mine.text)
  expect(others.text).toContain('Kept')
  expect(await post(other, 'Later')).toBe(await post(visitor, 'Later'))
  expect(visitor.url).not.toBe(deleted)
  await app.request('/reset?session=query', { method: 'POST', headers, body: JSON.stringify({ state }) })
  expect(await (await app.request('/state?session=query')).json()).toEqual(state)
  expect((await reset({ session: 'right', state: { ...state, image: 'unknown' } })).status).toBe(404)
  expect((await reset({ session: 'right', state: 'unknown' })).status).toBe(400)
  expect((await app.request('/state?session=unknown')).status).toBe(503)
})

test('what the next page says once is part of a state', () => {
  const sessions = new SiteSessions(() => undefined)
  sessions.reset('a').notice = 'Thank you.'
  const state = sessions.state('a')
  expect(sessions.reset('b', state).notice).toBe('Thank you.')
  expect(sessions.state('c')).toBeUndefined()
  sessions.closeAll()
})

test('the least used session makes room, and its visitor is not given another state', () => {
  const sessions = new SiteSessions(() => undefined, 3)
  for (const key of ['a', 'b', 'c']) sessions.reset(key)
  expect([sessions.count, sessions.find('a')]).toEqual([3, undefined])
  expect(sessions.find('b')).toBeDefined()
  sessions.reset('d')
  expect(sessions.find('c')).toBeUndefined()
  expect(sessions.find('b')).toBeDefined()
  sessions.closeAll()
})

test.each([
  ['a key with other characters', JSON.stringify({ session: 'a b' }), 'session key'],
  ['a key that is no text', JSON.stringify({ session: 3 }), 'session is a text'],
  ['a body that is no JSON', '{', 'no JSON'],
])('a reset with %s is refused', async (_what, body, message) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await sites.reddit.app.request('/reset', { method: 'POST', headers, body })
  expect(answer.status).toBe(400)
  expect(await answer.text()).toContain(message)
})

test('the key of a reset comes back as the cookie of all sites, and health counts the copies', async () => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ session: 'cookie-1' })
  const answer = await sites.shopping.app.request('/reset', { method: 'POST', headers, body })
  expect(answer.headers.get('set-cookie')).toMatch(/^site_session=cookie-1; Path=\//)
  expect(await answer.json()).toEqual({ site: 'shopping', session: 'cookie-1' })
  const health = await (await sites.shopping.app.request('/health')).json()
  expect(health).toEqual({ status: 'ok', site: 'shopping', sessions: sites.shopping.sessions.count })
})

test('what people type is shown as text, and kept where a form is refused', async () => {
  await resetSites(sites, 'typed')
  const visitor = new SiteVisitor(sites, { session: 'typed' })
  await visitor.open('__REDDIT__/f/birds/27')
  await visitor.press('Publish the comment', { Comment: '<b onload="x">& "done"</b>' })
  expect(visitor.text).toContain('&lt;b onload=&quot;x&quot;&gt;&amp; &quot;done&quot;&lt;/b&gt;')
  await visitor.open('__CLASSIFIEDS__/post')
  const texts = { Title: 'Blue "bench"', Description: 'Two metres.', 'Price ($)': 'twelve' }
  await visitor.press('Publish the ad', { Category: 'Furniture', ...texts, City: 'Tarnby' })
  expect(visitor.status).toBe(422)
  expect(visitor.document.querySelector('#title')?.getAttribute('value')).toBe('Blue "bench"')
  expect(visitor.document.querySelector('[role=alert]')?.textContent).toContain('a number of dollars')
})
