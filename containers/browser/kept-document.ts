import type { Page, Response } from 'playwright-core'
import { actAndSettle } from './settle-page.ts'

/** A document as a site answered it, to show it again without asking the site. */
export interface KeptDocument {
  address: string
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** Follows the documents that a page loads, from now on. */
export class DocumentWatch {
  readonly page: Page
  /** The answer that the last of them came in. */
  last: Response | null = null
  /** How many there were. */
  loads = 0
  /** The index, in the history of its tab, of the page that was gone back to: what was before it is not there. Null: all is. */
  historyStart: number | null = null

  constructor(page: Page) {
    this.page = page
    page.on('response', (response) => {
      const request = response.request()
      const isRedirect = response.status() >= 300 && response.status() < 400
      if (isRedirect || !request.isNavigationRequest() || request.frame() !== page.mainFrame()) return
      this.last = response
      this.loads += 1
    })
  }
}

/**
 * Whether a page is as its document alone makes it: nothing was written into its forms, it is not scrolled, and nothing on it runs,
 * or holds a document of its own.
 */
const isAsLoaded = `(() => {
  const isChanged = (control) => {
    if (control instanceof HTMLSelectElement) {
      const options = [...control.options]
      const isChosen = options.some((option) => option.defaultSelected)
      return options.some((option, at) => option.selected !== (isChosen || control.multiple ? option.defaultSelected : at === 0))
    }
    if (control.type === 'checkbox' || control.type === 'radio') return control.checked !== control.defaultChecked
    return control.value !== control.defaultValue
  }
  const focused = document.activeElement
  return scrollX === 0 && scrollY === 0 && (focused === null || focused === document.body || focused.hasAttribute('autofocus'))
    && document.querySelector('script, iframe, frame, object, embed, audio, video, meta[http-equiv="refresh" i]') === null
    && ![...document.querySelectorAll('input, textarea, select')].some(isChanged)
    && ![...document.querySelectorAll('*')].some(({ attributes }) =>
      [...attributes].some(({ name, value }) => /^on/i.test(name) || /^\\s*javascript:/i.test(value)))
})()`

/**
 * The document of a page that has just loaded it; null where the page is more than its document, or there is more to go back to than
 * the page: other tabs, or pages that `go_forward` leads to.
 */
export async function keepDocument({ page, last }: DocumentWatch): Promise<KeptDocument | null> {
  const address = page.url()
  if (page.context().pages().length > 1 || address.includes('#')) return null
  if (last === null || last.url() !== address || last.request().method() !== 'GET') return null
  const { currentIndex, entries } = await historyOf(page)
  if (currentIndex !== entries - 1 || !(await page.evaluate(isAsLoaded))) return null
  const [headers, body] = await Promise.all([last.allHeaders(), last.body()])
  const { 'set-cookie': _, 'content-length': __, 'content-encoding': ___, ...kept } = headers
  return { address, status: last.status(), headers: kept, body }
}

/** Shows a document in a page that has shown none yet. What it refers to is asked of its site. */
export async function showDocument(
  page: Page,
  { address, status, headers, body }: KeptDocument,
): Promise<void> {
  const answer = { status, headers, body }
  await page.route(
    (url) => url.href === address,
    (route) => route.fulfill(answer),
    { times: 1 },
  )
  await actAndSettle(page, () => page.goto(address))
}

/** The index of a page in the history of its tab, and how many entries that has. */
export async function historyOf(page: Page): Promise<{ currentIndex: number; entries: number }> {
  const session = await page.context().newCDPSession(page)
  try {
    const { currentIndex, entries } = await session.send('Page.getNavigationHistory')
    return { currentIndex, entries: entries.length }
  } finally {
    await session.detach().catch(() => undefined)
  }
}
