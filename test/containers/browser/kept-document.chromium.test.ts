import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import {
  areAllPlain,
  DocumentWatch,
  keepDocument,
  showDocument,
} from '../../../containers/browser/kept-document.ts'
import { keepBrowser } from './own-pages.ts'

const keeper = keepBrowser()
afterAll(() => keeper.stop())

const origin = 'http://shop.test'
const html = { 'content-type': 'text/html; charset=utf-8' }
const form =
  '<form method="post" action="/posted"><input name="q" value="a"><select><option>x<option>y</select><button>Go</button></form>'
const page = (body: string) => `<!doctype html><title>Page</title>${body}<div style="height: 5000px"></div>`

interface Answer {
  body?: string
  status?: number
  headers?: Record<string, string>
}

/** A tab that has loaded a document, which is answered in this process. */
async function load({ body = form, status = 200, headers = html }: Answer, address = `${origin}/`) {
  const context = await (await keeper.take()).newContext()
  const watch = new DocumentWatch(context)
  const asked: string[] = []
  await context.route('**/*', (route) => {
    asked.push(route.request().url())
    return route.fulfill({ status, headers, body: page(body) })
  })
  const tab = await context.newPage()
  await tab.goto(address)
  return { context, tab, watch, asked }
}

async function keepOf(
  answer: Answer,
  act: (tab: Page, context: BrowserContext) => Promise<unknown> = async () => undefined,
  address?: string,
) {
  const { context, tab, watch } = await load(answer, address)
  await act(tab, context)
  const kept = (await areAllPlain(context, watch)) ? await keepDocument(tab, watch) : null
  await context.close()
  return kept
}

test('a document is kept as it was answered, and shown again without asking its site', async () => {
  const kept = await keepOf({ headers: { ...html, 'x-shop': 'yes', 'set-cookie': 'a=b' }, status: 404 })
  expect(kept).toMatchObject({ address: `${origin}/`, status: 404, headers: { 'x-shop': 'yes' } })
  expect(kept?.headers).not.toHaveProperty('set-cookie')
  if (kept === null) throw new Error('It was not kept.')
  const { context, tab, asked } = await load({ body: 'Another page' }, `${origin}/other`)
  const again = await context.newPage()
  await showDocument(again, kept)
  expect(await again.content()).toContain('name="q"')
  expect(again.url()).toBe(`${origin}/`)
  expect(asked).toEqual([`${origin}/other`])
  await tab.close()
  await again.reload()
  expect(asked.at(-1)).toBe(`${origin}/`)
  await context.close()
})

test.each<[string, Answer]>([
  ['a script', { body: '<script>1</script>' }],
  ['a script that removes itself', { body: '<SCRIPT>document.currentScript.remove()</SCRIPT>' }],
  [
    'a root in the shadow',
    { body: '<p><template shadowrootmode="closed"><b onclick="1">a</b></template></p>' },
  ],
  ['a handler', { body: '<a onclick="1" href="/">a</a>' }],
  ['a script as an address', { body: '<a href=" javascript:1">a</a>' }],
  ['a frame', { body: '<iframe srcdoc="a"></iframe>' }],
  ['a refresh', { body: '<meta http-equiv="Refresh" content="900">' }],
  ['a refresh as a header', { headers: { ...html, refresh: '900' } }],
  ['another encoding', { headers: { 'content-type': 'text/html; charset=iso-8859-1' } }],
  ['a failure of its site', { status: 503 }],
])('a document with %s is not kept', async (_what, answer) => {
  expect(await keepOf(answer)).toBeNull()
})

test.each<[string, (tab: Page, context: BrowserContext) => Promise<unknown>]>([
  ['was written into', (tab) => tab.fill('input', 'b')],
  ['has another choice', (tab) => tab.selectOption('select', 'y')],
  ['is scrolled', (tab) => tab.evaluate('scrollTo(0, 100)')],
  ['has the focus', (tab) => tab.focus('input')],
  ['was posted to', (tab) => tab.click('button')],
  ['is not alone', (_tab, context) => context.newPage()],
  [
    'has another one to go forward to',
    async (tab) => {
      await tab.goto(`${origin}/next`)
      await tab.goBack()
    },
  ],
])('a page that %s is not kept', async (_what, act) => {
  expect(await keepOf({}, act)).toBeNull()
})

test('a part of a page is not kept', async () => {
  expect(await keepOf({}, undefined, `${origin}/#part`)).toBeNull()
})
