import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'

export interface PageOptions {
  width?: number
  colorScheme?: 'light' | 'dark'
  /** Complaints that the test provokes: Chromium writes every refused request into the console. */
  expected?: readonly RegExp[]
  reducedMotion?: 'reduce' | 'no-preference'
  /** The page computes this many times slower. Default: `BROWSER_SLOWDOWN`, else 1. */
  slowdown?: number
}

/** The Chromium that all files share. To close it ends this connection alone. */
export function connectChromium(): Promise<Browser> {
  return chromium.connect(inject('chromium'))
}

/** What a page asked for and has not got yet, apart from streams of events, and when that last changed. */
const traffic = new WeakMap<Page, { open: Set<Request>; changed: number }>()

/** Whether nothing is on its way to a page that {@link openPage} opened, for a while already. */
export function isQuiet(page: Page, milliseconds: number): boolean {
  const seen = traffic.get(page)
  if (seen === undefined) throw new Error('The page was not opened by openPage.')
  return seen.open.size === 0 && performance.now() - seen.changed > milliseconds
}

function watchTraffic(page: Page): void {
  const seen = { open: new Set<Request>(), changed: performance.now() }
  traffic.set(page, seen)
  const ended = (request: Request) => {
    seen.open.delete(request)
    seen.changed = performance.now()
  }
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/events')) return
    // What the document before it asked for is not read.
    if (request.isNavigationRequest()) seen.open.clear()
    seen.open.add(request)
    seen.changed = performance.now()
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
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
  const { slowdown = Number(process.env.BROWSER_SLOWDOWN ?? 1) } = options
  const context = await browser.newContext({
    baseURL: address,
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion,
    acceptDownloads: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(45_000)
  if (slowdown !== 1) {
    const tools = await context.newCDPSession(page)
    await tools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  }
  watchTraffic(page)
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
