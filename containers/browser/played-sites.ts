import type { Browser, Page } from 'playwright-core'
import type { BrowserAction } from '../../shared/environments/browser/actions/browser-action.ts'
import { areAllPlain, DocumentWatch, historyOf, keepDocument, showDocument } from './kept-document.ts'
import { type KeptState, stateNotKept } from './kept-states.ts'
import { observeSites, type Shown } from './observe-sites.ts'
import { type OpenSites, openSites, openSitesContext } from './open-sites.ts'
import type { SiteCopies } from './site-copies.ts'
import { closeContext } from './trace-context.ts'
import type { WebarenaProblem } from './webarena-backend.ts'

/** The tabs of a task that is played. */
export interface PlayedSites extends OpenSites {
  shown: Shown
  actions: BrowserAction[]
  watch: DocumentWatch
  /** Whether nothing ran on any page so far; false where states cannot be kept anyway. */
  isPlain: boolean
  /** Whether the last step has led to another document, and the task goes on. */
  isLoaded: boolean
  /** Where the mouse is in the tab that is looked at; undefined: not known. */
  pointer: KeptState['pointer'] | undefined
  /** The page that was gone back to, and its index in the history of its tab: what was before it is not there. Null: all is. */
  historyStart: { page: Page; index: number } | null
}

/** Opens a task at its start. Its copies of the sites are there already. */
export async function startPlaying(
  browser: Browser,
  problem: WebarenaProblem,
  copies: SiteCopies,
): Promise<PlayedSites> {
  const open = await openSites(browser, problem, copies)
  const context = open.page.context()
  try {
    return {
      ...open,
      shown: await observeSites(open, problem, 'start'),
      actions: [],
      watch: new DocumentWatch(context),
      isPlain: copies.haveStates && (await areAllPlain(context)),
      isLoaded: false,
      pointer: null,
      historyStart: null,
    }
  } catch (error) {
    await closeContext(context)
    throw error
  }
}

/** The state that a task is at; null where it cannot be gone back to exactly. */
export async function keepState(playing: PlayedSites, copies: SiteCopies): Promise<KeptState | null> {
  const { page, watch, shown, pointer, isPlain, isLoaded, actions } = playing
  if (!isPlain || !isLoaded || pointer === undefined) return null
  const document = await keepDocument(page, watch)
  if (document === null) return null
  const cookies = (await page.context().cookies()).filter((cookie) => !copies.isOfCopies(cookie))
  const states = await copies.states()
  return { copies: states, cookies, document, pointer, actions: [...actions], text: shown.text }
}

/**
 * Opens a task at a state. Its copies of the sites are there already.
 *
 * @throws EspalierError `state_not_kept` where something else is shown there
 */
export async function enterState(
  browser: Browser,
  { cookies, document, pointer, actions, text }: KeptState,
  problem: WebarenaProblem,
  copies: SiteCopies,
): Promise<PlayedSites> {
  const { context, access } = await openSitesContext(browser, problem)
  try {
    // Those of the log-in are among them, as they are now.
    await context.clearCookies()
    await context.addCookies([...cookies])
    await copies.enter(context)
    const page = await context.newPage()
    if (pointer !== null) await page.mouse.move(pointer.x, pointer.y)
    await showDocument(page, document)
    const open = { page, access }
    const shown = await observeSites(open, problem, 'return')
    if (shown.text !== text) throw stateNotKept('The page shows something else than before.')
    const watch = new DocumentWatch(context)
    const historyStart = { page, index: (await historyOf(page)).currentIndex }
    const before = { actions: [...actions], pointer, historyStart }
    return { ...open, shown, watch, isPlain: true, isLoaded: false, ...before }
  } catch (error) {
    await closeContext(context)
    throw error
  }
}

/** Notes what documents a step has led to. */
export async function noteDocuments(playing: PlayedSites, loadsBefore: number): Promise<void> {
  const loads = playing.watch.loads - loadsBefore
  playing.isLoaded = loads === 1
  // What a page did that was left at once is not known.
  playing.isPlain &&= loads <= 1 && (await areAllPlain(playing.page.context()))
}

/** @throws EspalierError `state_not_kept` where a page would be gone back to that is not there */
export async function refuseBefore({ page, historyStart }: PlayedSites): Promise<void> {
  if (historyStart?.page !== page) return
  const { currentIndex } = await historyOf(page)
  if (currentIndex <= historyStart.index) throw stateNotKept('The page before was not kept.')
}
