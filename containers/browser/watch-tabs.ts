import type { Page, Request } from 'playwright-core'
import { enablePage } from './settle-page.ts'

// Milliseconds for the browser to report a tab that was closed.
const longestClose = 5000

export interface WatchedTabs {
  newest(limit: number): Promise<Page | undefined>
  stop(): void
}

/**
 * Follows the tabs that an action on a page opens. The page's own process announces each before all its answers;
 * Playwright reports it when its first document arrives. `newest` waits until then, and closes tabs without a document:
 * of downloads, of answers without content, and of sites that do not answer within the limit.
 */
export async function watchTabs(page: Page): Promise<WatchedTabs> {
  const context = page.context()
  const opened: Page[] = []
  const aborted: Request[] = []
  let announced = 0
  let isGone = false
  let look = () => {}

  const announce = () => {
    announced += 1
  }
  const report = (tab: Page) => {
    opened.push(tab)
    tab.once('close', () => look())
    look()
  }
  const fail = (request: Request) => {
    // Other failures have a document: Chromium's error page.
    if (request.isNavigationRequest() && request.failure()?.errorText === 'net::ERR_ABORTED')
      aborted.push(request)
    look()
  }
  const end = () => {
    isGone = true
    look()
  }
  context.on('page', report)
  context.on('requestfailed', fail)
  context.on('close', end)
  const session = await context.newCDPSession(page)
  session.on('Page.windowOpen', announce)
  session.on('Page.frameRequestedNavigation', ({ disposition }) => {
    if (disposition === 'newTab' || disposition === 'newWindow') announce()
  })
  const [{ targetInfo }] = await Promise.all([
    session.send('Target.getTargetInfo'),
    enablePage(page, session),
  ])
  return {
    async newest(limit) {
      await until(() => announced - opened.length <= aborted.filter(hasNoTab).length, limit)
      if (announced > opened.length || context.pages().some(isEmpty)) await closeEmpty()
      // Playwright lists a tab for a moment if it closed before its report.
      await until(() => announced <= opened.length && !context.pages().some(isEmpty), longestClose)
      return opened.findLast((tab) => !tab.isClosed())
    },
    stop() {
      context.off('page', report)
      context.off('requestfailed', fail)
      context.off('close', end)
      // A page that closed meanwhile has closed the session too; one that crashed does not answer.
      session.detach().catch(() => undefined)
    },
  }

  function until(isDone: () => boolean, limit: number): Promise<void> {
    return new Promise((done) => {
      const finish = () => {
        clearTimeout(timer)
        look = () => {}
        done()
      }
      const timer = setTimeout(finish, limit)
      look = () => {
        if (isGone || isDone()) finish()
      }
      look()
    })
  }

  async function closeEmpty(): Promise<void> {
    const browser = await context.browser()?.newBrowserCDPSession()
    const { targetInfos = [] } = (await browser?.send('Target.getTargets')) ?? {}
    const { browserContextId } = targetInfo
    const empty = targetInfos.filter(
      (target) => target.type === 'page' && target.url === '' && target.browserContextId === browserContextId,
    )
    await Promise.all(empty.map(({ targetId }) => browser?.send('Target.closeTarget', { targetId })))
    await browser?.detach()
  }
}

function isEmpty(tab: Page): boolean {
  return tab.isClosed() || tab.url() === ''
}

// True for a request of a tab that Playwright has not reported.
function hasNoTab(request: Request): boolean {
  try {
    return request.frame() === null
  } catch {
    return true
  }
}
