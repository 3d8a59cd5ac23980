import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from './launch-chromium.ts'
import { openPage } from './open-page.ts'
import { serveExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

test('the form of a new run is ready to start, and says at once what it would take', async () => {
  const { address } = await serveExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/runs/new')
  const estimate = page.getByRole('region', { name: 'What it would take' })
  await estimate.getByRole('row', { name: /^Episodes 20 20/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Start the run' }).isEnabled()).toBe(true)
  // What nobody entered is in no address.
  expect(new URL(page.url()).search).toBe('')
})

test('a filter that is typed in one go arrives whole, and leaves the page where it is', async () => {
  const { address, examples } = await serveExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.mcts}`)
  await settle(page)
  const filter = page.getByRole('searchbox', { name: 'Task' })
  await filter.scrollIntoViewIfNeeded()
  const before = await page.evaluate('scrollY')
  await filter.pressSequentially('textcraft-0')
  await page.waitForURL(/[?&]task=textcraft-0$/)
  expect(await filter.inputValue()).toBe('textcraft-0')
  expect(await page.evaluate('scrollY')).toBe(before)
  await page.reload()
  await expect.poll(() => filter.inputValue()).toBe('textcraft-0')
})

test('a dialog that is left by its button gives the focus back', async () => {
  const { address, examples } = await serveExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.mcts}`)
  const opener = page.getByRole('button', { name: 'Extend …' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Extend the run' })
  const send = dialog.getByRole('button', { name: 'Extend' })
  await dialog.getByLabel('cost').first().fill('-1')
  expect(await send.isDisabled()).toBe(true)
  await dialog.getByLabel('cost').first().fill('2')
  expect(await send.isEnabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Leave it as it is' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Extend …')
})
