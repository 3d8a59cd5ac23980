import fc from 'fast-check'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../../containers/browser/launch-browser.ts'
import { performAction } from '../../../containers/browser/perform-action.ts'
import { sealContext } from '../../../containers/browser/seal-context.ts'
import { actAndSettle } from '../../../containers/browser/settle-page.ts'
import type { BrowserAction } from '../../../shared/environments/browser/actions/browser-action.ts'
import { parsePlaywrightAction } from '../../../shared/environments/browser/actions/parse-playwright-action.ts'
import { openTabSite, type TabSite } from './tab-site.ts'

let site: TabSite
let browser: Browser
beforeAll(async () => {
  site = await openTabSite()
  browser = await launchBrowser([site.host], () => undefined)
})
afterAll(async () => {
  await browser.close()
  site.close()
})

async function withPage<Answer>(work: (page: Page) => Promise<Answer>): Promise<Answer> {
  const context = await browser.newContext({ acceptDownloads: false })
  try {
    await sealContext(context, [site.host])
    const page = await context.newPage()
    await actAndSettle(page, () => page.goto(`http://${site.host}/page`))
    return await work(page)
  } finally {
    await context.close()
  }
}

const act = (page: Page, action: BrowserAction, settle = actAndSettle) =>
  performAction(page, action, new Map(), settle)
const click = (page: Page, id: string, settle = actAndSettle) =>
  act(page, parsePlaywrightAction(`page.locator("#${id}").click()`), settle)

async function seen(page: Page) {
  const pages = page.context().pages()
  return { tabs: await Promise.all(pages.map((each) => each.title())), current: pages.indexOf(page) }
}

const opening = ['quiet', 'opener', 'open', 'moved', 'form'] as const
const unopening = ['file', 'nothing', 'flash', 'brief', 'here', 'fileHere'] as const
type Click = (typeof opening)[number] | (typeof unopening)[number] | 'close'

// A script may close all tabs but the first, which has a history.
function follow(tabs: number, current: number, id: Click): [number, number] {
  if ((opening as readonly string[]).includes(id)) return [tabs + 1, tabs]
  return id === 'close' && current > 0 ? [tabs - 1, tabs - 2] : [tabs, current]
}

test('each click leads to the same tabs, however late their documents are', async () => {
  const clicks = fc.array(fc.constantFrom<Click>(...opening, ...unopening, 'close', 'close'), {
    minLength: 1,
    maxLength: 5,
  })
  await fc.assert(
    fc.asyncProperty(clicks, fc.constantFrom(0, 60, 250), async (ids, delay) => {
      site.delay = delay
      await withPage(async (start) => {
        let page = start
        let [tabs, current] = [1, 0]
        for (const id of ids) {
          const performed = await click(page, id)
          page = performed.page
          ;[tabs, current] = follow(tabs, current, id)
          expect(performed.failure, id).toBeUndefined()
          expect(await seen(page), id).toEqual({ tabs: Array(tabs).fill('page'), current })
        }
      })
    }),
    { numRuns: 25 },
  )
})

test('a link that is opened in the background by the keyboard is followed too', () =>
  withPage(async (page) => {
    site.delay = 100
    await page.focus('#quiet')
    const performed = await act(page, { kind: 'press', keys: 'Control+Enter' })
    expect(await seen(performed.page)).toEqual({ tabs: ['page', 'page'], current: 1 })
  }))

test.each([
  ['a download', () => ({ kind: 'goto', url: `http://${site.host}/file` })],
  ['an answer without content', () => ({ kind: 'goto', url: `http://${site.host}/nothing` })],
  ['an unknown key', () => ({ kind: 'press', keys: 'Foo' })],
  ['the check of a button', 'page.locator("#open").check()'],
  ['an option of a button', 'page.locator("#open").select_option("a")'],
  ['an ambiguous element', 'page.locator("a").click()'],
  ['a malformed selector', 'page.locator("div[").click()'],
  ['a malformed XPath', 'page.locator("//a[").click()'],
  ['a selector with the words of a loss', 'page.locator("[page crashed, browser has been closed").click()'],
] satisfies [string, string | (() => BrowserAction)][])(
  '%s cannot be done, and the page goes on',
  async (_name, written) => {
    site.delay = 0
    await withPage(async (page) => {
      const performed = await act(
        page,
        typeof written === 'string' ? parsePlaywrightAction(written) : written(),
      )
      expect(performed.failure).toMatch(/^Error: /)
      expect(performed.page).toBe(page)
      expect((await click(page, 'here')).failure).toBeUndefined()
    })
  },
)

test('a crashed page, before the action or by it, is no failure of the action', async () => {
  const crash = async (page: Page) => {
    const session = await page.context().newCDPSession(page)
    const crashed = page.waitForEvent('crash')
    session.send('Page.crash').catch(() => undefined)
    await crashed
  }
  await withPage(async (page) => {
    await expect(
      act(page, { kind: 'none' }, (on, work) => actAndSettle(on, () => crash(on).then(work))),
    ).rejects.toThrow(/crashed/)
  })
  await withPage(async (page) => {
    await crash(page)
    await expect(click(page, 'here')).rejects.toThrow(/crashed/)
  })
})

test('a browser that ends is no failure of the action', async () => {
  const other = await launchBrowser([site.host], () => undefined)
  const page = await (await other.newContext()).newPage()
  const ending = act(page, { kind: 'none' }, (on, work) => actAndSettle(on, () => other.close().then(work)))
  await expect(ending).rejects.toThrow(/closed/)
})

test('a page that does not load in time is taken as it is, and one that does not answer is left', async () => {
  const soon: typeof actAndSettle = (page, work) => actAndSettle(page, work, 300)
  site.delay = 0
  await withPage(async (page) => {
    expect((await click(page, 'unfinished', soon)).failure).toBeUndefined()
    expect(await page.title()).toBe('unfinished')
  })
  await withPage(async (page) => {
    expect((await click(page, 'never', soon)).failure).toBeUndefined()
    expect(await page.title()).toBe('page')
    expect(await seen((await click(page, 'open')).page)).toEqual({ tabs: ['page', 'page'], current: 1 })
  })
})
