import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isQuiet } from './open-page.ts'

/** Milliseconds without a request after which a page has drawn what it asked for: an answer may lead to another question. */
const quiet = 150

// A page that still computes may ask for more, and so may its timers: this one fires after shorter ones that began earlier.
const idle = `new Promise((done) => setTimeout(() => requestIdleCallback(done), ${quiet}))`

/** Waits until the page has drawn what it asked for: a heading is there, nothing says that it loads, nothing is on its way. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await expect
    .poll(
      async () => {
        if (!isQuiet(page, 0)) return false
        await page.evaluate(idle)
        const busy = page.locator('main[aria-busy="true"], main [aria-busy="true"]')
        return (await busy.count()) === 0 && isQuiet(page, quiet)
      },
      { timeout: 45_000, message: `${page.url()} is busy` },
    )
    .toBe(true)
}
