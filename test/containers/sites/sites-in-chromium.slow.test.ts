import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { evaluatedBrowserPage } from '../../../containers/browser/evaluated-browser-page.ts'
import type { ServedSite } from '../../../containers/sites/server/create-site-app.ts'
import { readPicture } from '../../../containers/sites/server/pictures.ts'
import type { SiteName } from '../../../containers/sites/server/site.ts'
import { startSites } from '../../../containers/sites/server/start-sites.ts'
import { storageStateOf } from '../../../containers/sites/server/storage-states.ts'
import { evaluateTask } from '../../../shared/environments/browser/evaluation/evaluate-task.ts'
import { taskEvaluationSchema } from '../../../shared/environments/browser/evaluation/task-evaluation.ts'
import { launchChromium } from '../../browser/launch-chromium.ts'
import { keepBrowser } from '../browser/own-pages.ts'
import { siteTasks } from './site-tasks.ts'
import { addresses, fillPlaceholders, openSites, resetSites, SiteVisitor } from './site-visitor.ts'
import { solveTask } from './task-walks.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const keeper = keepBrowser()
let sites: Record<SiteName, ServedSite>
beforeAll(() => {
  sites = openSites()
})
afterAll(async () => {
  for (const { sessions } of Object.values(sites)) sessions.closeAll()
  await keeper.stop()
})

/** A page of a session, logged in. Pages are answered in this process; a request to elsewhere fails the test. */
async function openPage(session: string): Promise<Page> {
  const context = await (await keeper.take()).newContext({
    viewport: { width: 1280, height: 2048 },
    storageState: storageStateOf(addresses),
  })
  onTestFinished(() => context.close())
  await context.addCookies([{ name: 'site_session', value: session, domain: '127.0.0.1', path: '/' }])
  const elsewhere = await answerRequests(context)
  onTestFinished(() => expect(elsewhere).toEqual([]))
  return context.newPage()
}

async function answerRequests(context: BrowserContext): Promise<string[]> {
  const elsewhere: string[] = []
  await context.route('**/*', async (route) => {
    const request = route.request()
    const { origin, pathname, search } = new URL(request.url())
    const name = (Object.keys(addresses) as SiteName[]).find((each) => addresses[each] === origin)
    if (name === undefined) {
      elsewhere.push(request.url())
      return route.abort()
    }
    const answer = await sites[name].app.request(`${pathname}${search}`, {
      headers: await request.allHeaders(),
    })
    const headers = Object.fromEntries(answer.headers)
    return route.fulfill({ status: answer.status, headers, body: Buffer.from(await answer.arrayBuffer()) })
  })
  return elsewhere
}

/** One page of each kind. */
const kinds = [
  '__SHOPPING__/',
  '__SHOPPING__/category/kitchen?sort=price',
  '__SHOPPING__/product/whistling-kettle-2-l',
  '__SHOPPING__/cart',
  '__SHOPPING__/checkout',
  '__SHOPPING__/account',
  '__SHOPPING__/account/orders',
  '__SHOPPING__/account/orders/latest',
  '__SHOPPING__/wishlist',
  '__REDDIT__/',
  '__REDDIT__/forums',
  '__REDDIT__/f/cycling/26',
  '__REDDIT__/submit',
  '__REDDIT__/user/quietharbor',
  '__REDDIT__/login',
  '__CLASSIFIEDS__/',
  '__CLASSIFIEDS__/search?q=sofa&sort=price',
  '__CLASSIFIEDS__/item/20',
  '__CLASSIFIEDS__/post',
  '__CLASSIFIEDS__/account/messages',
].map(fillPlaceholders)

test('no kind of page has a serious finding of axe', async () => {
  await resetSites(sites, 'axe')
  const visitor = new SiteVisitor(sites, { session: 'axe' })
  await visitor.open('__SHOPPING__/product/play-ball')
  await visitor.press('Add to cart')
  await visitor.open('__SHOPPING__/cart')
  const page = await openPage('axe')
  const findings: string[] = []
  for (const address of kinds) {
    await page.goto(address)
    await page.evaluate(axe)
    const { violations } = (await page.evaluate(
      'axe.run(document, { resultTypes: ["violations"] })',
    )) as AxeResults
    for (const { id, impact, nodes } of violations) {
      if (impact === 'serious' || impact === 'critical') findings.push(`${address}: ${id}, ${nodes[0]?.html}`)
    }
  }
  expect(findings).toEqual([])
})

test('a page looks the same in two sessions', async () => {
  for (const session of ['look-1', 'look-2']) await resetSites(sites, session)
  const [one, other] = [await openPage('look-1'), await openPage('look-2')]
  for (const address of kinds.filter((each) => /whistling|cycling|sofa/.test(each))) {
    await one.goto(address)
    await other.goto(address)
    expect(Buffer.compare(await one.screenshot(), await other.screenshot()), address).toBe(0)
  }
})

test('the result of each task passes its evaluation in a browser', async () => {
  const states = siteTasks.filter(({ eval: { eval_types } }) => !eval_types.includes('string_match'))
  expect(states.length).toBeGreaterThan(40)
  const page = await openPage('tasks')
  const seen = evaluatedBrowserPage(page, {
    site: (name) => addresses[name as SiteName],
    shop: { ask: () => Promise.reject(new Error('No task asks the shop.')), customer: () => '' },
    fetchPicture: async (address) => {
      const bytes = readPicture(address.split('/').at(-1) ?? '')
      if (bytes === undefined) throw new Error(`${address} is no picture`)
      return bytes
    },
  })
  const failed: string[] = []
  for (const task of states) {
    await resetSites(sites, 'tasks')
    const visitor = new SiteVisitor(sites, { session: 'tasks' })
    await visitor.open(task.start_url.split(' |AND| ')[0] ?? '')
    await solveTask(task, visitor)
    await page.goto(visitor.url)
    const evaluation = taskEvaluationSchema.parse(JSON.parse(fillPlaceholders(JSON.stringify(task.eval))))
    const ended = { benchmark: 'visualwebarena', intent: task.intent, evaluation, answer: '' } as const
    const { score } = await evaluateTask(ended, seen)
    if (score !== 1) failed.push(`${task.task_id} ${task.intent}`)
  }
  expect(failed).toEqual([])
})

test('a person orders something by labels and buttons, in the copy that a reset gave the browser', async () => {
  const running = await startSites()
  onTestFinished(() => running.stop())
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const context = await browser.newContext({ storageState: storageStateOf(running.addresses) })
  const { shopping } = running.addresses
  await context.request.post(`${shopping}/reset`, { data: { session: 'person' } })
  const page = await context.newPage()
  await page.goto(shopping)
  await page.getByLabel('Search products').fill('kite')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByRole('link', { name: 'First kite', exact: true }).click()
  await page.getByLabel('Quantity').fill('2')
  await page.getByRole('button', { name: 'Add to cart' }).click()
  await page.getByRole('link', { name: 'Go to checkout' }).click()
  await page.getByLabel('Postcode').fill('1930')
  await page.getByLabel('Shipping', { exact: true }).selectOption('express')
  await page.getByRole('button', { name: 'Place the order' }).click()
  const heading = page.getByRole('heading', { level: 1 })
  await expect.poll(() => heading.textContent()).toBe('Order 000000171')
  expect(await page.getByRole('status').textContent()).toContain('000000171')
  expect(await page.locator('#total').textContent()).toBe('$46.90')
  const { cookies } = storageStateOf(running.addresses)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  expect((await fetch(`${shopping}/account/orders/000000171`, { headers: { cookie } })).status).toBe(404)
})
