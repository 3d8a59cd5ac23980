import type { Page } from 'playwright-core'
import type { BrowserAction } from '../../shared/environments/browser/actions/browser-action.ts'
import { DocumentWatch, historyOf, keepDocument, showDocument } from './kept-document.ts'
import { type KeptState, stateNotKept } from './kept-states.ts'
import { observeSites, type Shown } from './observe-sites.ts'
import type { OpenSites } from './open-sites.ts'
import type { SiteCopies } from './site-copies.ts'
import type { WebarenaProblem } from './webarena-backend.ts'

/** The tabs of a task that is played. */
export interface PlayedSites extends OpenSites {
  shown: Shown
  actions: BrowserAction[]
  /** Of each page that was looked at. */
  watches: WeakMap<Page, DocumentWatch>
  /** Whether the last step has led to another document, and the task goes on. */
  isLoaded: boolean
  /** Where the mouse is; undefined: not known. */
  pointer: KeptState['pointer'] | undefined
}

/** That of the page that is looked at. */
export function watchOf({ page, watches }: Pick<PlayedSites, 'page' | 'watches'>): DocumentWatch {
  const watch = watches.get(page) ?? new DocumentWatch(page)
  watches.set(page, watch)
  return watch
}

/** The state that a task is at; null where it cannot be gone back to exactly, or the state of a site cannot be read. */
export async function keepState(playing: PlayedSites, copies: SiteCopies): Promise<KeptState | null> {
  const { page, shown, pointer, isLoaded, actions } = playing
  if (!isLoaded || pointer === undefined) return null
  const document = await keepDocument(watchOf(playing))
  const states = document && (await copies.states().catch(() => null))
  if (document === null || states === null) return null
  const cookies = (await page.context().cookies()).filter((cookie) => !copies.isOfCopies(cookie))
  return { copies: states, cookies, document, pointer, actions: [...actions], text: shown.text }
}

/**
 * Brings a task to a state in a page of its own. Its copies of the sites are there already.
 *
 * @throws EspalierError `state_not_kept` where something else is shown there
 */
export async function enterState(
  playing: PlayedSites,
  { cookies, document, pointer, actions, text }: KeptState,
  problem: WebarenaProblem,
  copies: SiteCopies,
): Promise<PlayedSites> {
  const context = playing.page.context()
  const earlier = context.pages()
  await context.clearCookies()
  await context.addCookies([...cookies])
  await copies.enter(context)
  const page = await context.newPage()
  if (pointer !== null) await page.mouse.move(pointer.x, pointer.y)
  await showDocument(page, document)
  for (const each of earlier) await each.close()
  const watches: PlayedSites['watches'] = new WeakMap()
  watchOf({ page, watches }).historyStart = (await historyOf(page)).currentIndex
  const shown = await observeSites({ ...playing, page }, problem, false)
  if (withoutIds(shown.text) !== withoutIds(text)) {
    throw stateNotKept('The page shows something else than before.')
  }
  return { ...playing, page, shown, watches, isLoaded: false, actions: [...actions], pointer }
}

/** @throws EspalierError `state_not_kept` where a page would be gone back to that is not there */
export async function refuseBefore(playing: PlayedSites): Promise<void> {
  const { historyStart } = watchOf(playing)
  if (historyStart === null) return
  const { currentIndex } = await historyOf(playing.page)
  if (currentIndex <= historyStart) throw stateNotKept('The page before was not kept.')
}

/** Elements are numbered otherwise in each document. */
function withoutIds(text: string): string {
  return text.replaceAll(/^(\s*)\[\d+\]/gm, '$1[]')
}
