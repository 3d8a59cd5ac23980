import type { BrowserContext, FrameLocator, Locator, Page } from 'playwright-core'
import {
  ActionParsingError,
  type ActionTarget,
  type BrowserAction,
  type PlaywrightCall,
} from '../../shared/environments/browser/actions/browser-action.ts'
import type { Bounds, SeenElement } from '../../shared/environments/browser/observations/seen-page.ts'
import { pythonRepr } from '../../shared/environments/python-text.ts'
import { actAndSettle, longestSettling, type Settling } from './settle-page.ts'
import { watchTabs } from './watch-tabs.ts'

/** In pixels of the viewport. */
export interface MousePosition {
  x: number
  y: number
}

type MouseMove = MousePosition | 'unmoved' | 'unknown'

export interface PerformedAction {
  page: Page
  mouse: MouseMove
  failure: string | undefined
}

/** The action is impossible on this page. The page stays unchanged. */
class ActionFailedError extends Error {
  override readonly name = 'ActionFailedError'
}

const longestCall = 30_000
// Leaves time for the observation before the page counts as hung.
const longestAction = 50_000

/**
 * Performs an action on a page as VisualWebArena does: the mouse at the middle of the element, then the keyboard. A
 * tab that it opens becomes the current tab; if it closes its own tab, the last one does. An impossible action returns
 * the reason. A lost browser is an error.
 * @param elements The elements behind the ids of the last observation.
 * @param settle Waits for the page to settle; by default by its own events, in real time.
 */
export async function performAction(
  page: Page,
  action: BrowserAction,
  elements: ReadonlyMap<string, SeenElement>,
  settle: Settling = actAndSettle,
): Promise<PerformedAction> {
  const end = performance.now() + longestAction
  const left = () => Math.max(1, Math.min(longestSettling, end - performance.now()))
  const settleInTime: Settling = (on, act) => settle(on, act, left())
  const tabs = await watchTabs(page)
  try {
    const performed = await attempt(page, action, elements, settleInTime)
    const opened = await tabs.newest(left())
    if (performed.failure !== undefined) return performed
    const shown = await showTab([opened, performed.page, page], settleInTime)
    return shown === page ? performed : { page: shown, mouse: 'unknown', failure: undefined }
  } finally {
    tabs.stop()
  }
}

async function attempt(
  page: Page,
  action: BrowserAction,
  elements: ReadonlyMap<string, SeenElement>,
  settle: Settling,
): Promise<PerformedAction> {
  try {
    return { ...(await settle(page, () => take(page, action, elements))), failure: undefined }
  } catch (error) {
    if (error instanceof ActionFailedError || error instanceof ActionParsingError) {
      return { page, mouse: 'unmoved', failure: error.message }
    }
    if (page.isClosed()) return { page, mouse: 'unknown', failure: undefined }
    // Fails if the page has crashed. On a page that still answers, the action was impossible.
    await settle(page, async () => undefined)
    return { page, mouse: 'unknown', failure: String(error).split('\n', 1)[0] ?? '' }
  }
}

// Brings the first of the tabs that stays open to the front; if all close, the last tab. `tabs.at(-1)` is in front.
async function showTab(tabs: readonly (Page | undefined)[], settle: Settling): Promise<Page> {
  const present = tabs.at(-1) as Page
  for (const tab of tabs) {
    if (tab === undefined || tab.isClosed()) continue
    if (tab === present) return tab
    try {
      await settle(tab, () => tab.bringToFront())
    } catch (error) {
      if (!tab.isClosed()) throw error
    }
    if (!tab.isClosed()) return tab
  }
  return showTab([await lastTab(present.context()), present], settle)
}

async function take(
  page: Page,
  action: BrowserAction,
  elements: ReadonlyMap<string, SeenElement>,
): Promise<{ page: Page; mouse: MouseMove }> {
  switch (action.kind) {
    case 'none':
    case 'stop':
      break
    case 'scroll':
      await page.evaluate(scrollScript(action.direction))
      break
    case 'press':
      await pressKeys(page, action.keys)
      break
    case 'click':
    case 'hover':
    case 'clear':
    case 'type':
      return { page, mouse: await takeOnElement(page, action, elements) }
    case 'check':
      await locateElement(page, action.target).check({ timeout: longestCall })
      return { page, mouse: 'unknown' }
    case 'select_option': {
      const [option] = action.target.at(-1)?.positional ?? []
      await locateElement(page, action.target.slice(0, -1)).selectOption(String(option ?? ''), {
        timeout: longestCall,
      })
      return { page, mouse: 'unknown' }
    }
    case 'goto':
      await page.goto(action.url, { timeout: longestCall })
      break
    case 'go_back':
      await page.goBack({ timeout: longestCall })
      break
    case 'go_forward':
      await page.goForward({ timeout: longestCall })
      break
    case 'new_tab':
      return { page: await page.context().newPage(), mouse: 'unknown' }
    case 'close_tab':
      return { page: await closeTab(page), mouse: 'unknown' }
    case 'focus_tab': {
      const tab = page.context().pages()[action.tab]
      if (tab === undefined) throw new ActionFailedError('list index out of range')
      return { page: tab, mouse: 'unknown' }
    }
  }
  return { page, mouse: 'unmoved' }
}

async function takeOnElement(
  page: Page,
  action: Extract<BrowserAction, { kind: 'click' | 'hover' | 'clear' | 'type' }>,
  elements: ReadonlyMap<string, SeenElement>,
): Promise<MousePosition> {
  const middle = await middleOf(page, action, elements)
  const { x, y } = middle
  if (action.kind === 'hover') {
    await page.mouse.move(x, y)
    return middle
  }
  await page.mouse.click(x, y)
  if (action.kind === 'type') await page.keyboard.type(action.text)
  if (action.kind === 'clear') {
    await pressKeys(page, 'Meta+A')
    await pressKeys(page, 'Backspace')
  }
  return middle
}

async function middleOf(
  page: Page,
  target: ActionTarget,
  elements: ReadonlyMap<string, SeenElement>,
): Promise<MousePosition> {
  if ('element' in target) {
    const seen = elements.get(target.element)
    if (seen === undefined) throw new ActionFailedError(pythonRepr(target.element))
    if (seen.bounds === undefined) throw new ActionFailedError(`${seen.text} has no box`)
    return middleOfBounds(seen.bounds)
  }
  const element = locateElement(page, target.target)
  await element.scrollIntoViewIfNeeded({ timeout: longestCall })
  const box = await element.boundingBox({ timeout: longestCall })
  if (box === null) throw new ActionFailedError(`${target.code} has no box`)
  return middleOfBounds([box.x, box.y, box.width, box.height])
}

function middleOfBounds([x, y, width, height]: Bounds): MousePosition {
  return { x: x + width / 2, y: y + height / 2 }
}

async function pressKeys(page: Page, keys: string): Promise<void> {
  await page.keyboard.press(keys.replace('Meta', 'Control'))
}

async function closeTab(page: Page): Promise<Page> {
  await page.close()
  return lastTab(page.context())
}

// Throws if the context is closed: the browser is lost.
async function lastTab(context: BrowserContext): Promise<Page> {
  return context.pages().at(-1) ?? context.newPage()
}

function scrollScript(direction: 'up' | 'down'): string {
  const distance = direction === 'up' ? '-window.innerHeight' : 'window.innerHeight'
  return `(document.scrollingElement ?? document.body).scrollTop += ${distance}`
}

type Place = Page | Locator | FrameLocator
type Role = Parameters<Page['getByRole']>[0]

/**
 * Resolves a chain of Playwright calls to an element. The chain is parsed, and only these calls are supported.
 * @throws ActionParsingError if a call lacks its argument, or the chain ends in a frame.
 */
function locateElement(page: Page, calls: readonly PlaywrightCall[]): Locator {
  let place: Place = page
  for (const call of calls) place = locateNext(place, call)
  if ('count' in place) return place
  throw new ActionParsingError(`${calls.map(({ name }) => name).join('.')} names no element`)
}

function locateNext(place: Place, call: PlaywrightCall): Locator | FrameLocator {
  const argument = () => textArgument(call)
  const exact = call.keywords.exact === true
  switch (call.name) {
    case 'get_by_role': {
      const { name } = call.keywords
      return place.getByRole(argument() as Role, { exact, ...(typeof name === 'string' ? { name } : {}) })
    }
    case 'get_by_text':
      return place.getByText(argument(), { exact })
    case 'get_by_label':
      return place.getByLabel(argument(), { exact })
    case 'get_by_placeholder':
      return place.getByPlaceholder(argument(), { exact })
    case 'get_by_alt_text':
      return place.getByAltText(argument(), { exact })
    case 'get_by_title':
      return place.getByTitle(argument(), { exact })
    case 'get_by_test_id':
      return place.getByTestId(argument())
    case 'locator':
      return place.locator(argument())
    case 'frame_locator':
      return place.frameLocator(argument())
    case 'filter': {
      const { has_text: hasText } = call.keywords
      if ('filter' in place && typeof hasText === 'string') return place.filter({ hasText })
      throw new ActionParsingError('filter takes has_text="…", after an element')
    }
    default:
      throw new ActionParsingError(`Unknown playwright locator ${call.name}`)
  }
}

function textArgument(call: PlaywrightCall): string {
  const [value] = call.positional
  if (typeof value === 'string') return value
  throw new ActionParsingError(`${call.name} takes a text`)
}
