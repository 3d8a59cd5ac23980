import type { Page } from 'playwright-core'
import type { BrowserAction } from '../../shared/environments/browser/actions/browser-action.ts'
import { areAllPlain, historyOf, keepDocument, showDocument } from './kept-document.ts'
import { type KeptPage, stateNotKept } from './kept-pages.ts'
import { observeSites, type Shown } from './observe-sites.ts'
import { type OpenSites, openTabs, type SitesContext } from './open-sites.ts'
import type { SiteCopies } from './site-copies.ts'
import type { WebarenaProblem } from './webarena-backend.ts'

/** Milliseconds for a site to return its state. It is read after each step that may be kept. */
const longestState = 5000

/**
 * `isPlain`: nothing has run on any page so far; false also if states cannot be kept. `isNewDocument`: the last step
 * led to another document and the task continues. `mouse` is in the current tab; null: not moved yet; undefined:
 * unknown. `historyStart` is the restored page with its index in the history of its tab, whose earlier pages are
 * missing. Null: the history is complete.
 */
export interface PlayedSites extends OpenSites {
  shown: Shown
  actions: BrowserAction[]
  isPlain: boolean
  isNewDocument: boolean
  mouse: KeptPage['mouse'] | undefined
  historyStart: { page: Page; index: number } | null
}

export async function startPlaying(
  opened: SitesContext,
  problem: WebarenaProblem,
  copies: SiteCopies,
): Promise<PlayedSites> {
  const { context, watch } = opened
  await copies.identify(context)
  const open = { ...opened, page: await openTabs(context, problem) }
  return {
    ...open,
    shown: await observeSites(open, problem, 'start'),
    actions: [],
    isPlain: copies.haveStates && (await areAllPlain(context, watch)),
    isNewDocument: false,
    mouse: null,
    historyStart: null,
  }
}

/** The task's current page. Null if it cannot be restored exactly. */
export async function keepPage(playing: PlayedSites, copies: SiteCopies): Promise<KeptPage | null> {
  const { context, page, watch, shown, mouse, isPlain, isNewDocument, actions } = playing
  if (!isPlain || !isNewDocument || mouse === undefined) return null
  const document = await keepDocument(page, watch)
  const cookies = copies.withoutOwn(await context.cookies())
  if (document === null || cookies === null) return null
  const sites = await copies.states(longestState)
  return { sites, cookies, document, mouse, actions: [...actions], text: shown.text }
}

/**
 * Opens a task at a page. The caller has already restored its copies of the sites.
 * @throws EspalierError `state_not_kept` if the page shows different contents, or a site has another state
 */
export async function restorePage(
  opened: SitesContext,
  { sites, cookies, document, mouse, actions, text }: KeptPage,
  problem: WebarenaProblem,
  copies: SiteCopies,
): Promise<PlayedSites> {
  const { context } = opened
  // The kept cookies include those of the log-in in their current form.
  await context.clearCookies()
  await context.addCookies([...cookies])
  await copies.identify(context)
  const page = await context.newPage()
  if (mouse !== null) await page.mouse.move(mouse.x, mouse.y)
  await showDocument(page, document)
  const open = { ...opened, page }
  const shown = await observeSites(open, problem, 'return')
  if (shown.text !== text) throw stateNotKept('The page shows something else than before.')
  // Last, since the page has requested its resources from its site.
  await copies.verify(sites)
  const historyStart = { page, index: (await historyOf(page)).currentIndex }
  return { ...open, shown, isPlain: true, isNewDocument: false, actions: [...actions], mouse, historyStart }
}

/**
 * Records the documents that a step has loaded.
 * @throws EspalierError `state_not_kept` if scripts ran that may have missed the pages before the restored one
 */
export async function noteDocuments(playing: PlayedSites, loadsBefore: number): Promise<void> {
  const { context, watch, historyStart, isPlain } = playing
  const loads = watch.loads - loadsBefore
  playing.isNewDocument = loads === 1
  if (!isPlain || loads === 0) return
  // The actions of an intermediate page are unknown.
  playing.isPlain = loads === 1 && (await areAllPlain(context, watch))
  if (historyStart !== null && !playing.isPlain) throw stateNotKept('The pages before were not kept.')
}

/** @throws EspalierError `state_not_kept` if the action goes back to a page that is missing */
export async function refuseUnkeptBack({ page, historyStart }: PlayedSites): Promise<void> {
  if (historyStart?.page !== page) return
  const { currentIndex } = await historyOf(page)
  if (currentIndex <= historyStart.index) throw stateNotKept('The page before was not kept.')
}
