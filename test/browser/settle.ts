import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { isQuiet } from './open-page.ts'

/** Milliseconds without a request after which a page has drawn what it asked for: an answer may lead to another question. */
const quiet = 150

/** Waits until the page has drawn what it asked for: a heading is there, nothing says that it loads, nothing is on its way. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await expect
    .poll(
      async () =>
        isQuiet(page, quiet) &&
        (await page.locator('main[aria-busy="true"], main [aria-busy="true"]').count()) === 0,
      { timeout: 45_000, message: `${page.url()} is busy` },
    )
    .toBe(true)
}
