import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChromium, openPage } from './open-page.ts'
import { sharedExamples } from './serve-folder.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

test('a person searches transcripts, narrows what was found, and opens the node of a hit', async () => {
  const { address, client, examples } = sharedExamples()
  const { page } = await openPage(browser, address, { expected: [/status of 400/] })
  const main = page.getByRole('main')
  await page.goto('/runs')
  await page.getByRole('navigation', { name: 'Pages of Runs' }).getByRole('link', { name: 'Search' }).click()
  await main.getByRole('heading', { level: 1, name: 'Search' }).waitFor()
  await main.getByText('Nothing is searched for').waitFor()

  await main.getByLabel('Words').fill('craft status')
  const found = main.getByRole('region', { name: 'What was found' })
  await found.getByRole('article').first().waitFor()
  expect(await found.locator('mark').first().innerText()).toMatch(/^(craft|status)$/i)
  await main.getByLabel('Kind', { exact: true }).selectOption('note')
  await main.getByLabel('Outcome').selectOption('succeeded')
  await main.getByLabel('Run', { exact: true }).fill(examples.debate)
  await page.waitForURL(
    (url) =>
      url.searchParams.get('q') === 'craft status' &&
      url.searchParams.get('kind') === 'note' &&
      url.searchParams.get('outcome') === 'succeeded' &&
      url.searchParams.get('run') === examples.debate,
  )
  await found.getByText(/passages.*in\s1\srun\./).waitFor()
  const asked = { q: 'craft status', kind: 'note', outcome: 'succeeded', run: examples.debate, limit: 25 }
  await expect.poll(async () => (await client.searchTranscripts(asked)).not_indexed).toBe(0)
  const { data } = await client.searchTranscripts(asked)
  expect(data.length).toBeGreaterThan(0)
  // Hits of an earlier choice stay until the answer comes.
  await expect.poll(() => found.locator('article').count()).toBe(data.length)
  // The hits of one episode stand together, and the first is in sight.
  const episodes = new Set(data.map(({ run, episode }) => `${run}/${episode}`))
  await expect.poll(() => found.getByRole('article').count()).toBe(episodes.size)

  await found
    .getByRole('article')
    .first()
    .getByRole('link', { name: `node ${data[0]?.node}` })
    .click()
  await page.waitForURL(
    (url) =>
      url.pathname === `/runs/${data[0]?.run}/episodes/${data[0]?.episode}` &&
      url.searchParams.get('node') === String(data[0]?.node),
  )
  await main.getByRole('heading', { level: 1 }).waitFor()
  await page.goBack()
  await found.getByRole('article').first().waitFor()

  await main.getByLabel('Words').fill('nothinglikethis')
  await main.getByText('Nothing was found', { exact: true }).waitFor()
  await main.getByRole('button', { name: 'Clear the filters' }).click()
  await page.waitForURL((url) => url.search === '?q=nothinglikethis')
  await main.getByLabel('Words').fill('craft OR status')
  await main.getByText('"OR" is no operator here').waitFor()
})
