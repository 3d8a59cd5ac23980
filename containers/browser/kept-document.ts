import type { BrowserContext, Page, Response } from 'playwright-core'
import { errorText, logEvent } from '../env-host/host-log.ts'
import { ignoreClosed } from './seal-context.ts'
import { actAndSettle } from './settle-page.ts'

/** A document as a site answered it, to show it again without asking the site. */
export interface KeptDocument {
  address: string
  /** The page that led there; undefined where none did. */
  referer: string | undefined
  status: number
  headers: Record<string, string>
  body: Buffer
}

/** Follows the documents that the tabs of a context load, from now on. */
export class DocumentWatch {
  /** How many there were in all tabs. */
  loads = 0
  readonly #answers = new WeakMap<Page, Response>()

  constructor(context: BrowserContext) {
    context.on('response', (response) => this.#note(response))
  }

  /** What the last document of a page came in. */
  answerOf(page: Page): Response | undefined {
    return this.#answers.get(page)
  }

  #note(response: Response): void {
    const isRedirect = response.status() >= 300 && response.status() < 400
    if (isRedirect || !response.request().isNavigationRequest()) return
    this.loads += 1
    const frame = frameOf(response)
    if (frame !== null && frame.parentFrame() === null) this.#answers.set(frame.page(), response)
  }
}

/** Null for a tab that is only about to open. */
function frameOf(response: Response) {
  try {
    return response.frame()
  } catch {
    return null
  }
}

/** Whether nothing on a page runs, or holds a document of its own, as far as the page shows. */
const isPlain = `document.querySelector('script, iframe, frame, object, embed, audio, video, meta[http-equiv="refresh" i]') === null
  && ![...document.querySelectorAll('*')].some(({ attributes }) =>
    [...attributes].some(({ name, value }) => /^on/i.test(name) || /^\\s*javascript:/i.test(value)))`

/** Whether a page is as its document alone makes it: nothing was written into its forms, and it is not scrolled. */
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
  return scrollX === 0 && scrollY === 0 && document.characterSet === 'UTF-8'
    && (focused === null || focused === document.body || focused.hasAttribute('autofocus'))
    && ![...document.querySelectorAll('input, textarea, select')].some(isChanged)
})()`

/** Headers by which a document does more than to be shown. */
const acting = ['refresh', 'clear-site-data']

/** What a document may have that a page does not show: scripts that have removed themselves, and roots in the shadow. */
const hiddenParts = /<script|shadowrootmode/i

/** Whether nothing ran on any tab, as far as can be known. */
export async function areAllPlain(context: BrowserContext, watch: DocumentWatch): Promise<boolean> {
  const isPagePlain = async (page: Page) => {
    const body = (await watch.answerOf(page)?.body())?.toString('latin1') ?? ''
    return !hiddenParts.test(body.replaceAll('\0', '')) && (await page.evaluate<boolean>(isPlain))
  }
  try {
    return (await Promise.all(context.pages().map(isPagePlain))).every(Boolean)
  } catch (error) {
    // As a page that goes away meanwhile. Its states are then reached by their actions.
    logEvent('warn', 'browser.page_not_read', { error: errorText(error) })
    return false
  }
}

/**
 * The document of a page that has just loaded it, on which nothing runs; null where the page is more than its document, or there is
 * more to go back to than the page: other tabs, or pages that `go_forward` leads to.
 */
export async function keepDocument(page: Page, watch: DocumentWatch): Promise<KeptDocument | null> {
  const address = page.url()
  const answer = watch.answerOf(page)
  if (page.context().pages().length > 1 || address.includes('#')) return null
  if (answer === undefined || answer.url() !== address || answer.status() >= 500) return null
  if (answer.request().method() !== 'GET') return null
  const { currentIndex, entries } = await historyOf(page)
  if (currentIndex !== entries - 1 || !(await page.evaluate(isAsLoaded))) return null
  const headers = await answer.allHeaders()
  const body = await answer.body()
  if (acting.some((name) => headers[name] !== undefined)) return null
  const { 'set-cookie': _, 'content-length': __, 'content-encoding': ___, ...kept } = headers
  const { referer } = answer.request().headers()
  return { address, referer, status: answer.status(), headers: kept, body }
}

/** Shows a document in a page that has shown none yet. What it refers to is asked of its site. */
export async function showDocument(page: Page, document: KeptDocument): Promise<void> {
  const { address, referer, status, headers, body } = document
  await page.route(
    (url) => url.href === address,
    (route) => route.fulfill({ status, headers, body }).catch(ignoreClosed),
    { times: 1 },
  )
  // It is waited for as after any action, which reads a page that goes on loading as it is.
  const going = { waitUntil: 'commit' as const, ...(referer !== undefined && { referer }) }
  await actAndSettle(page, () => page.goto(address, going))
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
