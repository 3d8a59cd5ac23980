import type { Browser, Page } from 'playwright-core'
import { type AnswerPage, sealContext } from './seal-context.ts'
import type { Settling } from './settle-page.ts'
import { closeContext, openContext } from './trace-context.ts'

const beginning = new Date('2024-01-02T09:00:00Z')
/** Milliseconds of a page's clock that pass with each action: longer than menus and animations take. */
const timeOfAction = 1000

export const pageViewport = { width: 500, height: 320 }

/**
 * A page of ours in a new context. Only `answer` is reachable, its locale, time zone and colours are fixed, and its
 * clock moves only by {@link passTime}. So the same actions have the same answers. The caller closes the context.
 * @param name Of environment and task.
 * @param script Runs before the page's own.
 */
export async function openVirtualPage(
  browser: Browser,
  { name, answer, script }: { name: string; answer: AnswerPage; script: string },
): Promise<Page> {
  const context = await openContext(browser, name, {
    viewport: pageViewport,
    deviceScaleFactor: 1,
    locale: 'en-US',
    timezoneId: 'UTC',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    acceptDownloads: false,
  })
  try {
    await sealContext(context, [], answer)
    await context.clock.install({ time: beginning })
    await context.clock.pauseAt(new Date(beginning.getTime() + timeOfAction))
    await context.addInitScript(script)
    return await context.newPage()
  } catch (error) {
    await closeContext(context)
    throw error
  }
}

export async function passTime(page: Page): Promise<void> {
  await page.clock.runFor(timeOfAction)
}

export const settleVirtually: Settling = async (page, act) => {
  const answer = await act()
  await passTime(page)
  return answer
}
