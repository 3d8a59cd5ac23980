import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { connectChromium } from './open-page.ts'
import { sharedExamples } from './serve-folder.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

/** A page of another local origin, as Jupyter's, with a frame that follows the height which the framed page reports. */
async function frameIn(
  host: string,
  framed: string,
): Promise<{ page: Page; frame: FrameLocator; complaints: string[] }> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>Notebook</title>
      <iframe src="${framed}" style="width:100%;height:100px;border:0"></iframe>
      <script>addEventListener('message', ({ data, source }) => {
        const frame = document.querySelector('iframe')
        if (source === frame.contentWindow && data.type === 'espalier-height') frame.style.height = data.height + 'px'
      })</script>`)
  })
  await once(server.listen(0, host), 'listening')
  const context = await browser.newContext({ viewport: { width: 1000, height: 700 } })
  onTestFinished(async () => {
    await context.close()
    server.close()
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(`http://${host}:${(server.address() as AddressInfo).port}/`)
  return { page, frame: page.frameLocator('iframe'), complaints }
}

const hidden = `document.documentElement.scrollHeight - document.documentElement.clientHeight`

test('a notebook shows the results of a run and a comparison in frames as high as their pages, without navigation', async () => {
  const { address, examples } = sharedExamples()
  for (const [path, title, part] of [
    [`runs/${examples.mcts}`, 'mcts by rewards', 'Rewards and steps'],
    [`compare?runs=${examples.react},${examples.mcts}`, 'Comparison', 'Tasks won and lost'],
  ] as const) {
    const { frame } = await frameIn('127.0.0.1', `${address}/embed/${path}`)
    await frame.getByRole('heading', { level: 1, name: title }).waitFor()
    await frame.getByRole('heading', { name: part }).waitFor()
    await expect.poll(() => frame.locator('body').evaluate(hidden)).toBe(0)
    expect(await frame.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
  }
})

test('a framed tree has its node panel without paid actions, and every link opens a tab', async () => {
  const { address, client, examples } = sharedExamples()
  const [episode] = (await client.episodes(examples.mcts, { status: 'succeeded', limit: 1 })).data
  const path = `/runs/${examples.mcts}/episodes/${episode?.id}`
  const { page, frame } = await frameIn('127.0.0.1', `${address}/embed${path}?theme=dark`)
  await frame.getByText('The call that led here').waitFor()
  await frame.getByText('Prompt', { exact: true }).first().waitFor()
  expect(await frame.getByText('Ask again').count()).toBe(0)
  expect(await frame.locator('html').getAttribute('data-theme')).toBe('dark')
  const height = () =>
    page.locator('iframe').evaluate((found: { clientHeight: number }) => found.clientHeight)
  await expect.poll(height).toBeGreaterThan(500)
  await frame.getByRole('tab', { name: 'Outline' }).click()
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    frame.locator('a[href$="?view=outline"]', { hasText: 'Open the full page' }).click(),
  ])
  await expect.poll(() => tab.url()).toBe(`${address}${path}?view=outline`)
  expect(await tab.evaluate('window.opener')).toBeNull()
})

test('a link inside a framed page leads to the page with navigation, in a tab', async () => {
  const { address, examples } = sharedExamples()
  const { page, frame } = await frameIn('127.0.0.1', `${address}/embed/runs/${examples.mcts}`)
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    frame.getByRole('link', { name: 'How these figures are computed' }).click(),
  ])
  await expect.poll(() => tab.url()).toBe(`${address}/guide/reports`)
  await frame.getByRole('heading', { name: 'Rewards and steps' }).waitFor()
})

test.each([
  ['127.0.0.2', '/embed/runs/'],
  ['127.0.0.1', '/runs/'],
])('%s may not frame %s', async (host, path) => {
  const { address, examples } = sharedExamples()
  const { frame, complaints } = await frameIn(host, `${address}${path}${examples.mcts}`)
  await expect.poll(() => complaints.join()).toContain('frame-ancestors')
  expect(await frame.getByRole('heading', { level: 1 }).count()).toBe(0)
})
