import { type CDPSession, errors, type Frame, type Page, type Request } from 'playwright-core'

export const longestSettling = 30_000
const mostNavigations = 20
// Two frames, so that changes by handlers are laid out. A page that is navigating has none.
const twoFrames = `new Promise((done) =>
  requestAnimationFrame(() => requestAnimationFrame(() => done(closed ? 'closing' : 'drawn'))))`

export type Settling = <Answer>(page: Page, act: () => Promise<Answer>, limit?: number) => Promise<Answer>

/**
 * Performs an action on a page, and waits until the resulting page is loaded, or closed: by the page's events, without
 * a fixed pause. After `limit` milliseconds it takes the page as it is, and stops a navigation without an answer.
 */
export const actAndSettle: Settling = async (page, act, limit = longestSettling) => {
  const navigation = await watchNavigation(page)
  try {
    const answer = await act()
    await settlePage(page, navigation, limit)
    return answer
  } finally {
    navigation.stop()
  }
}

interface WatchedNavigation {
  isUnderWay: () => boolean
  cancel(): Promise<void>
  stop(): void
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
  await watchRequested(page, session, begin)
  return {
    isUnderWay: () => isUnderWay,
    async cancel() {
      await session.send('Page.stopLoading')
    },
    stop() {
      page.off('request', begun)
      page.off('requestfailed', failed)
      page.off('framenavigated', arrived)
      // A page that closed meanwhile has closed the session too; one that crashed does not answer.
      session.detach().catch(() => undefined)
    },
  }
}

async function watchRequested(page: Page, session: CDPSession, begin: () => void): Promise<void> {
  await enablePage(page, session)
  const { frameTree } = await session.send('Page.getFrameTree')
  const requested = ({ frameId }: { frameId: string }) => {
    if (frameId === frameTree.frame.id) begin()
  }
  session.on('Page.frameScheduledNavigation', requested)
  session.on('Page.frameRequestedNavigation', (event) => {
    if (event.disposition === 'currentTab') requested(event)
  })
}

// On a crashed page, a session's call has no answer, and Playwright's own calls fail.
export async function enablePage(page: Page, session: CDPSession): Promise<void> {
  const crash = new Promise<never>((_resolve, reject) => {
    page.evaluate('0').catch((error) => {
      if (/crashed/.test(String(error))) reject(error)
    })
  })
  await Promise.race([session.send('Page.enable'), crash])
}

async function settlePage(page: Page, navigation: WatchedNavigation, limit: number): Promise<void> {
  const end = performance.now() + limit
  const left = () => Math.max(1, end - performance.now())
  try {
    for (let round = 0; round < mostNavigations && !page.isClosed(); round++) {
      const address = page.url()
      await page.waitForLoadState('load', { timeout: left() })
      const frames = await within(left(), page.evaluate<string>(twoFrames).catch(whereLeaving))
      if (frames === 'late') return await navigation.cancel()
      if (frames === 'closing' && !page.isClosed()) await page.waitForEvent('close', { timeout: left() })
      if (frames === 'drawn' && !navigation.isUnderWay() && page.url() === address) return
    }
  } catch (error) {
    if (page.isClosed()) return
    if (!(error instanceof errors.TimeoutError)) throw error
    if (navigation.isUnderWay()) await navigation.cancel()
  }
}

async function within<Answer>(limit: number, answer: Promise<Answer>): Promise<Answer | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, limit, 'late')
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

function whereLeaving(error: unknown): 'leaving' {
  if (/Execution context was destroyed|navigation|Cannot find context/i.test(String(error))) return 'leaving'
  throw error
}
