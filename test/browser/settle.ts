import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Waits until the page has drawn what it asked for: a heading is there, nothing says that it loads, nothing is busy. */
export async function settle(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor()
  await expect
    .poll(async () => page.locator('main[aria-busy="true"], main [aria-busy="true"]').count(), {
      timeout: 15_000,
      message: `${page.url()} is busy`,
    })
    .toBe(0)
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch((error: Error) => {
    // Pages that follow something never fall silent.
    if (error.name !== 'TimeoutError') throw error
  })
}
