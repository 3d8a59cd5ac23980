import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChromium, openPage } from './open-page.ts'
import { sharedExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

const head = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })

const names = (page: Page) => page.locator('main tbody tr td:nth-child(2) a').allInnerTexts()

const widthOf = async (page: Page, name: string) =>
  Math.round((await head(page, name).boundingBox())?.width ?? 0)

test('keys alone sort the runs, leave a column out and give one a width, and the address gives it all back', async () => {
  const { address, client } = sharedExamples()
  const { data: runs } = await client.runs({ limit: 100 })
  const { page } = await openPage(browser, address)
  await page.goto('/runs')
  await settle(page)
  expect(await names(page)).toEqual(runs.map(({ id, request }) => request.name ?? id))

  await page.getByRole('button', { name: 'Episodes', exact: true }).press('Enter')
  await page.waitForURL(/sort=episodes&order=desc/)
  const byEpisodes = runs.toSorted((left, right) => right.episodes.total - left.episodes.total)
  const sorted = byEpisodes.map(({ id, request }) => request.name ?? id)
  await expect.poll(() => names(page)).toEqual(sorted)
  await expect.poll(() => head(page, 'Episodes').getAttribute('aria-sort')).toBe('descending')

  await page.getByRole('button', { name: 'Columns' }).press('Enter')
  await page.getByRole('checkbox', { name: 'Model' }).press('Space')
  const width = page.getByRole('spinbutton', { name: 'Width of Run in pixels' })
  await width.fill('330')
  await width.press('Enter')
  await page.waitForURL(/hide=model.*widths=run\.330/)
  await page.keyboard.press('Escape')
  expect(await page.getByRole('checkbox', { name: 'Model' }).isVisible()).toBe(false)

  const other = await openPage(browser, address)
  await other.page.goto(page.url())
  await settle(other.page)
  expect(await names(other.page)).toEqual(sorted)
  expect(await head(other.page, 'Model').count()).toBe(0)
  expect(await widthOf(other.page, 'Run')).toBe(330)
})

test('the rim of a heading drags its column, and the others keep their widths', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/runs')
  await settle(page)
  const [before, other] = [await widthOf(page, 'Status'), await widthOf(page, 'Success')]
  const box = await page.locator('[data-resizes=status]').boundingBox()
  const [x, y] = [(box?.x ?? 0) + 4, (box?.y ?? 0) + 8]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + 30, y)
  await expect.poll(() => widthOf(page, 'Status')).toBe(before + 30)
  await page.mouse.move(x + 60, y)
  await page.mouse.up()
  await page.waitForURL(/widths=/)
  await expect.poll(() => widthOf(page, 'Status')).toBe(before + 60)
  expect(await widthOf(page, 'Success')).toBe(other)
  await page.reload()
  await settle(page)
  expect(await widthOf(page, 'Status')).toBe(before + 60)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('button', { name: 'The usual columns' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await expect.poll(() => widthOf(page, 'Status')).toBe(before)
})

test('a view is kept under a name, comes back after the browser opened the page anew, and is forgotten', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/runs?method=mcts&sort=cost&hide=created')
  await settle(page)
  const kept = new URL(page.url()).search
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  await page.getByRole('textbox', { name: 'Name of this view' }).fill('cheap searches')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'cheap searches' }).waitFor()

  await page.goto('/runs')
  await settle(page)
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  await page.getByRole('link', { name: 'cheap searches' }).press('Enter')
  await expect.poll(() => new URL(page.url()).search).toBe(kept)
  await expect.poll(() => head(page, 'Created').count()).toBe(0)
  await expect.poll(() => head(page, 'Cost').getAttribute('aria-sort')).toBe('ascending')
  // Views of other lists are their own.
  await page.goto('/datasets')
  await settle(page)
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  expect(await page.getByRole('link', { name: 'cheap searches' }).count()).toBe(0)

  await page.goto('/runs')
  await settle(page)
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  await page.getByRole('button', { name: 'Forget cheap searches' }).press('Enter')
  await page.getByRole('link', { name: 'cheap searches' }).waitFor({ state: 'detached' })
  await page.reload()
  await settle(page)
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  expect(await page.getByRole('link', { name: 'cheap searches' }).count()).toBe(0)
})

test('episodes and datasets have the same columns, orders and views', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.mcts}?sort=reward&order=desc&hide=tokens&widths=task.240`)
  await settle(page)
  expect(await head(page, 'Tokens').count()).toBe(0)
  expect(await widthOf(page, 'Task')).toBe(240)
  expect(await head(page, 'Reward').getAttribute('aria-sort')).toBe('descending')
  await page.getByRole('region', { name: 'Episodes' }).getByRole('button', { name: 'Views' }).waitFor()

  await page.goto('/datasets')
  await settle(page)
  await page.getByRole('button', { name: 'Rows', exact: true }).press('Enter')
  await page.waitForURL(/sort=rows&order=desc/)
  await expect.poll(() => head(page, 'Rows').getAttribute('aria-sort')).toBe('descending')
  await expect.poll(() => page.getByRole('link', { name: 'step pairs of mcts' }).count()).toBe(1)
})

test('a narrow page keeps the headings as buttons that sort', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address, { width: 820 })
  await page.goto('/runs')
  await settle(page)
  await page.getByRole('button', { name: 'Cost', exact: true }).click()
  await page.waitForURL(/sort=cost/)
  for (const name of ['Columns', 'Views']) {
    await page.getByRole('button', { name }).click()
    const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate(wider)).toBe(0)
    await page.keyboard.press('Escape')
  }
})
