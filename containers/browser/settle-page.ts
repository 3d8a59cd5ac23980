import type { Page, Request } from 'playwright-core'

/** Milliseconds that a page has to load before it is read as it stands. */
const longestLoad = 30_000
/** How often an action may lead on to another page before it is read as it stands. */
const mostNavigations = 20
/** Two frames, so that what handlers changed is laid out. A page on its way to another one has none. */
const twoFrames =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))'

/** Does something to a page, and waits until what it led to can be read. */
export type Settling = <Answer>(page: Page, act: () => Promise<Answer>) => Promise<Answer>

/**
 * Does something to a page, and waits until the page it leads to is loaded: by the events of the page, without a pause of fixed
 * length.
 */
export const actAndSettle: Settling = async (page, act) => {
  const navigating = new Set<Request>()
  const started = (request: Request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) navigating.add(request)
  }
  const ended = (request: Request) => navigating.delete(request)
  page.on('request', started)
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  try {
    const answer = await act()
    await settlePage(page, () => navigating.size > 0)
    return answer
  } finally {
    page.off('request', started)
    page.off('requestfinished', ended)
    page.off('requestfailed', ended)
  }
}

/** Waits until the page is loaded and laid out. */
async function settlePage(page: Page, isNavigating: () => boolean = () => false): Promise<void> {
  for (let round = 0; round < mostNavigations && !page.isClosed(); round++) {
    const address = page.url()
    await page.waitForLoadState('load', { timeout: longestLoad }).catch(whereSlow)
    const isDrawn = await page.evaluate(twoFrames).catch(whereLeaving)
    if (isDrawn === true && !isNavigating() && page.url() === address) return
  }
}

function whereSlow(error: unknown): void {
  if (!(error instanceof Error && error.name === 'TimeoutError')) throw error
}

function whereLeaving(error: unknown): false {
  if (/Execution context was destroyed|navigation|Cannot find context/i.test(String(error))) return false
  throw error
}
