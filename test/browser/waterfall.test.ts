import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChromium, openPage } from './open-page.ts'
import { sharedExamples } from './serve-folder.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

async function openWaterfall() {
  const { address, client, examples } = sharedExamples()
  const { data } = await client.episodes(examples.mcts, { status: 'succeeded', limit: 1 })
  const id = data[0]?.id ?? ''
  const waterfall = await client.waterfall(examples.mcts, id)
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.mcts}/episodes/${id}?view=waterfall`)
  await page.locator('canvas[data-painted]').waitFor()
  return { page, waterfall, chart: page.getByRole('application', { name: /^Waterfall with/ }) }
}

test('keys alone read every span, and open the node of one', async () => {
  const { page, chart, waterfall } = await openWaterfall()
  expect(waterfall.untimed_commits).toBe(0)
  expect(waterfall.lanes.filter(({ branch }) => branch !== null).length).toBeGreaterThan(1)
  await chart.focus()
  const status = page.locator('[aria-live=polite]', { hasText: /from/ })
  await page.keyboard.press('ArrowDown')
  const read = new Set<string>()
  for (const _ of waterfall.lanes) {
    await status.waitFor()
    read.add((await status.innerText()).split(',')[0] ?? '')
    await page.keyboard.press('ArrowDown')
  }
  expect(read.size).toBeGreaterThan(2)
  await page.keyboard.press('Escape')
  await page.getByText('Choose a bar to read it').waitFor()

  for (let moved = 0; moved < waterfall.lanes.length; moved++) {
    await page.keyboard.press('ArrowDown')
    if (/node \d+/.test(await status.innerText())) break
  }
  const node = /node (\d+)/.exec(await status.innerText())?.[1]
  await page.keyboard.press('Enter')
  const name = node === '0' ? 'Root' : `Node ${node}`
  await page.getByRole('complementary', { name, exact: true }).waitFor()
  await page.waitForURL(new RegExp(`view=waterfall.*node=${node}`))
})

test('the slowest five are named, lead to their nodes, and each zoom paints again', async () => {
  const { page, waterfall } = await openWaterfall()
  const slowest = page.getByRole('list', { name: 'The slowest calls and steps' }).getByRole('button')
  await expect.poll(() => slowest.count()).toBe(waterfall.slowest.length)
  const first = waterfall.spans[waterfall.slowest[0] ?? 0]
  expect(await slowest.first().innerText()).toContain(first?.key)
  await slowest.first().click()
  await page
    .getByRole('complementary', { name: first?.node === 0 ? 'Root' : `Node ${first?.node}` })
    .waitFor()
  const pixels = () => page.evaluate("document.querySelector('canvas[data-painted]').toDataURL()")
  const before = await pixels()
  await page.getByRole('button', { name: 'Zoom in (+)' }).click()
  await expect.poll(pixels).not.toBe(before)
})

test('a journal of an older version says that it has no times of single calls', async () => {
  const { address, client, examples } = sharedExamples()
  const { data } = await client.episodes(examples.react, { limit: 1 })
  const id = data[0]?.id ?? ''
  const found = await client.waterfall(examples.react, id)
  const { page } = await openPage(browser, address)
  const spans = found.spans.map((span) => ({ ...span, exact: false }))
  await page.route('**/waterfall', (route) =>
    route.fulfill({ json: { ...found, spans, untimed_commits: found.commits } }),
  )
  await page.goto(`/runs/${examples.react}/episodes/${id}?view=waterfall`)
  await page.getByText('An older version played this episode.').waitFor()
  await page
    .getByRole('button', { name: /at most/ })
    .first()
    .waitFor()
})
