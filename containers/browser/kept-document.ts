import type { BrowserContext, Page, Response } from 'playwright-core'
import { errorText, logEvent } from '../env-host/host-log.ts'
import { ignoreClosed } from './seal-context.ts'
import { actAndSettle } from './settle-page.ts'

export interface KeptDocument {
  address: string
  referer: string | undefined
  status: number
  headers: Record<string, string>
  body: Buffer
}

export class DocumentWatch {
  loads = 0
  readonly #answers = new WeakMap<Page, Response>()

  constructor(context: BrowserContext) {
    context.on('response', (response) => this.#note(response))
  }

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

function frameOf(response: Response) {
  try {
    return response.frame()
  } catch {
    return null
  }
}

const isPlain = `document.querySelector('script, iframe, frame, object, embed, audio, video, meta[http-equiv="refresh" i]') === null
  && ![...document.querySelectorAll('*')].some(({ attributes }) =>
    [...attributes].some(({ name, value }) => /^on/i.test(name) || /^\\s*javascript:/i.test(value)))`

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

const acting = ['refresh', 'clear-site-data']

const hiddenParts = /<script|shadowrootmode/i

export async function areAllPlain(context: BrowserContext, watch: DocumentWatch): Promise<boolean> {
  const isPagePlain = async (page: Page) => {
    const body = (await watch.answerOf(page)?.body())?.toString('latin1') ?? ''
    return !hiddenParts.test(body.replaceAll('\0', '')) && (await page.evaluate<boolean>(isPlain))
  }
  try {
    return (await Promise.all(context.pages().map(isPagePlain))).every(Boolean)
  } catch (error) {
    // A page may disappear meanwhile. Its states are then reached by their actions.
    logEvent('warn', 'browser.page_not_read', { error: errorText(error) })
    return false
  }
}

/**
 * The document of a page that has just loaded it, on which nothing runs. Null if the page is more than its document,
 * or if there are other tabs or pages that `go_forward` leads to.
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

export async function showDocument(page: Page, document: KeptDocument): Promise<void> {
  const { address, referer, status, headers, body } = document
  await page.route(
    (url) => url.href === address,
    (route) => route.fulfill({ status, headers, body }).catch(ignoreClosed),
    { times: 1 },
  )
  // Wait as after any action, which reads a page that is still loading in its current state.
  const going = { waitUntil: 'commit' as const, ...(referer !== undefined && { referer }) }
  await actAndSettle(page, () => page.goto(address, going))
}

export async function historyOf(page: Page): Promise<{ currentIndex: number; entries: number }> {
  const session = await page.context().newCDPSession(page)
  try {
    const { currentIndex, entries } = await session.send('Page.getNavigationHistory')
    return { currentIndex, entries: entries.length }
  } finally {
    await session.detach().catch(() => undefined)
  }
}
