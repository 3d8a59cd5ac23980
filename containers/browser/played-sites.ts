import type { Page } from 'playwright-core'
import type { BrowserAction } from '../../shared/environments/browser/actions/browser-action.ts'
import { areAllPlain, historyOf, keepDocument, showDocument } from './kept-document.ts'
import { type KeptPage, stateNotKept } from './kept-pages.ts'
import { observeSites, type Shown } from './observe-sites.ts'
import { type OpenSites, openTabs, type SitesContext } from './open-sites.ts'
import type { SiteCopies } from './site-copies.ts'
import type { WebarenaProblem } from './webarena-backend.ts'

/** Milliseconds that a site has to say its state. It is asked after each step that may be kept. */
const longestState = 5000

/** The tabs of a task that is played. */
export interface PlayedSites extends OpenSites {
  shown: Shown
  actions: BrowserAction[]
  /** Whether nothing ran on any page so far; false where states cannot be kept anyway. */
  isPlain: boolean
  /** Whether the last step has led to another document, and the task goes on. */
  isNewDocument: boolean
  /** Where the mouse is in the tab that is looked at; null: not moved yet; undefined: not known. */
  mouse: KeptPage['mouse'] | undefined
  /** The page that was gone back to, and its index in the history of its tab: what was before it is not there. Null: all is. */
  historyStart: { page: Page; index: number } | null
}

/** Opens a task at its start. Its copies of the sites are there already. */
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

/** The page that a task is at; null where it cannot be gone back to exactly. */
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
 * Opens a task at a page. Its copies of the sites were put back already.
 *
 * @throws EspalierError `state_not_kept` where something else is shown there, or a site is elsewhere
 */
export async function restorePage(
  opened: SitesContext,
  { sites, cookies, document, mouse, actions, text }: KeptPage,
  problem: WebarenaProblem,
  copies: SiteCopies,
): Promise<PlayedSites> {
  const { context } = opened
  // Those of the log-in are among them, as they are now.
  await context.clearCookies()
  await context.addCookies([...cookies])
  await copies.identify(context)
  const page = await context.newPage()
  if (mouse !== null) await page.mouse.move(mouse.x, mouse.y)
  await showDocument(page, document)
  const open = { ...opened, page }
  const shown = await observeSites(open, problem, 'return')
  if (shown.text !== text) throw stateNotKept('The page shows something else than before.')
  // Last, since the page has asked its site for what it refers to.
  await copies.verify(sites)
  const historyStart = { page, index: (await historyOf(page)).currentIndex }
  return { ...open, shown, isPlain: true, isNewDocument: false, actions: [...actions], mouse, historyStart }
}

/**
 * Notes what documents a step has led to.
 *
 * @throws EspalierError `state_not_kept` where scripts ran that may have missed the pages before the one that was gone back to
 */
export async function noteDocuments(playing: PlayedSites, loadsBefore: number): Promise<void> {
  const { context, watch, historyStart, isPlain } = playing
  const loads = watch.loads - loadsBefore
  playing.isNewDocument = loads === 1
  if (!isPlain || loads === 0) return
  // What a page did that was left at once is not known.
  playing.isPlain = loads === 1 && (await areAllPlain(context, watch))
  if (historyStart !== null && !playing.isPlain) throw stateNotKept('The pages before were not kept.')
}

/** @throws EspalierError `state_not_kept` where a page would be gone back to that is not there */
export async function refuseUnkeptBack({ page, historyStart }: PlayedSites): Promise<void> {
  if (historyStart?.page !== page) return
  const { currentIndex } = await historyOf(page)
  if (currentIndex <= historyStart.index) throw stateNotKept('The page before was not kept.')
}
