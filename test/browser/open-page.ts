import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'

export interface PageOptions {
  width?: number
  colorScheme?: 'light' | 'dark'
  /** Complaints that the test provokes: Chromium writes every refused request into the console. */
  expected?: readonly RegExp[]
  reducedMotion?: 'reduce' | 'no-preference'
}

/**
 * Opens a page of the dashboard as a person does. When the test ends it fails for anything that the page complained of: errors
 * in the console, uncaught errors, refusals by the content security policy, dialogs, requests to other origins, and hostile
 * text that was executed.
 */
export async function openPage(
  browser: Browser,
  address: string,
  options: PageOptions = {},
): Promise<{ page: Page; context: BrowserContext }> {
  const { width = 1440, colorScheme = 'light', expected = [], reducedMotion = 'reduce' } = options
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    const text = `${message.type()}: ${message.text()} (${message.location().url})`
    if (!expected.some((known) => known.test(text))) problems.push(text)
  })
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.stack ?? error.message}`))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== new URL(address).origin && url.protocol !== 'blob:')
      problems.push(`request elsewhere: ${request.url()}`)
  })
  page.on('popup', (popup) => problems.push(`popup: ${popup.url()}`))
  onTestFinished(async () => {
    const sentinel = page.isClosed() ? undefined : await page.evaluate('window.sentinel')
    await context.close()
    expect(sentinel, 'hostile text was executed').toBeUndefined()
    expect(problems).toEqual([])
  })
  return { page, context }
}
