import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChromium, openPage } from './open-page.ts'
import { serveExamples } from './serve-folder.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

async function press(page: Page, name: string): Promise<void> {
  const button = page.getByRole('complementary').getByRole('button', { name, exact: true })
  await expect.poll(() => button.isEnabled()).toBe(true)
  await button.focus()
  await page.keyboard.press('Enter')
}

test('a person asks a call again by keyboard, sees its price before, and keeps or discards the answer', async () => {
  const { address, client, examples } = await serveExamples()
  const [first] = (await client.episodes(examples.react, { limit: 1 })).data
  const runs = async () => (await client.runs({ limit: 100 })).data.map(({ id }) => id)
  const before = await runs()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.react}/episodes/${first?.id}?node=1`)
  const panel = page.getByRole('complementary', { name: 'Node 1' })
  await panel
    .locator('summary')
    .filter({ hasText: /^Ask again$/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await panel
    .getByText(/^\$0, at most .* tokens in and .* out; with retries it stops at .* tokens\.$/)
    .waitFor()
  expect(await runs()).toEqual(before)

  await press(page, 'Ask')
  await panel.getByText('The answer is here.').waitFor()
  expect(await panel.getByRole('region', { name: 'The answer then' }).first().innerText()).toContain('Action')
  await panel.getByRole('region', { name: 'The answer now' }).first().waitFor()
  await press(page, 'Discard')
  await expect.poll(runs).toEqual(before)

  await press(page, 'Ask')
  await press(page, 'Keep')
  await panel.getByText(/^Kept as the run run-/).waitFor()
  const kept = (await runs()).filter((id) => !before.includes(id))
  expect(kept).toHaveLength(1)
  await press(page, 'Ask once more')
  expect(await runs()).toContain(kept[0])
})
