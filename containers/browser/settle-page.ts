import type { CDPSession, Frame, Page, Request } from 'playwright-core'

const longestLoad = 30_000
const mostNavigations = 20
/** Two frames, so that changes by handlers are laid out. A page that is navigating has none. */
const twoFrames =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))'

export type Settling = <Answer>(page: Page, act: () => Promise<Answer>) => Promise<Answer>

/**
 * Performs an action on a page, and waits until the resulting page is loaded: by the page's events, without a fixed
 * pause.
 */
export const actAndSettle: Settling = async (page, act) => {
  const navigation = await watchNavigation(page)
  try {
    const answer = await act()
    await settlePage(page, navigation.isUnderWay)
    return answer
  } finally {
    await navigation.stop()
  }
}

interface WatchedNavigation {
  isUnderWay: () => boolean
  stop(): Promise<void>
}

/**
 * Follows a page's navigations from the moment its own process requests one. That message precedes all answers of the
 * page. The request itself is reported by another process, under load later than the next frames.
 */
async function watchNavigation(page: Page): Promise<WatchedNavigation> {
  let isUnderWay = false
  const begin = () => {
    isUnderWay = true
  }
  const begun = (request: Request) => {
    if (isNavigation(request)) begin()
  }
  const failed = (request: Request) => {
    if (isNavigation(request)) isUnderWay = false
  }
  const arrived = (frame: Frame) => {
    if (frame === page.mainFrame()) isUnderWay = false
  }
  const isNavigation = (request: Request) =>
    request.isNavigationRequest() && request.frame() === page.mainFrame()
  page.on('request', begun)
  page.on('requestfailed', failed)
  page.on('framenavigated', arrived)
  const session = await page.context().newCDPSession(page)
  await watchRequested(session, begin)
  return {
    isUnderWay: () => isUnderWay,
    async stop() {
      page.off('request', begun)
      page.off('requestfailed', failed)
      page.off('framenavigated', arrived)
      // A page that closed meanwhile has closed the session too.
      await session.detach().catch(() => undefined)
    },
  }
}

async function watchRequested(session: CDPSession, begin: () => void): Promise<void> {
  await session.send('Page.enable')
  const { frameTree } = await session.send('Page.getFrameTree')
  const requested = ({ frameId }: { frameId: string }) => {
    if (frameId === frameTree.frame.id) begin()
  }
  session.on('Page.frameScheduledNavigation', requested)
  session.on('Page.frameRequestedNavigation', (event) => {
    if (event.disposition === 'currentTab') requested(event)
  })
}

async function settlePage(page: Page, isNavigating: () => boolean): Promise<void> {
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
