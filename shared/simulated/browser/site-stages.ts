import type { BrowserMove } from './browser-move.ts'
import { type PlannedMove, pageFields } from './page-situation.ts'
import type { PageElement } from './read-page.ts'
import {
  buttonTo,
  fieldOf,
  heldBy,
  isAt,
  linkTo,
  parameterOf,
  type SiteItem,
  type SiteView,
  spacedName,
} from './site-view.ts'

/** A part of a task: the move that it needs on a page; null where it is done with, or cannot be done there. */
export type Stage = (view: SiteView) => BrowserMove | null

/** What is answered to a task that cannot be done. */
export const notAvailable = 'N/A'

/** The first stage that has a move, and how many moves the task will take from there. */
export function inStages(view: SiteView, ...stages: readonly Stage[]): PlannedMove | null {
  for (const [at, stage] of stages.entries()) {
    const move = stage(view)
    if (move !== null) return { move, isLast: move.kind === 'stop', left: stages.length - at }
  }
  return null
}

/** Ends the task once there is an answer, and finds one by the stages until then. */
export function answering(
  view: SiteView,
  answer: string | null,
  ...stages: readonly Stage[]
): PlannedMove | null {
  return answer === null ? inStages(view, ...stages, () => null) : inStages(view, stop(answer))
}

export function stop(answer = ''): Stage {
  return () => ({ kind: 'stop', answer })
}

export function clickOn(at: PageElement | undefined): BrowserMove | null {
  return at === undefined || at.id === '' ? null : { kind: 'click', at }
}

/** A link that all pages of the site have. */
export function menuLink(name: string | RegExp): Stage {
  return ({ page }) =>
    clickOn(
      page.elements.find(
        (element) =>
          element.role === 'link' &&
          (typeof name === 'string' ? spacedName(element) === name : name.test(spacedName(element))),
      ),
    )
}

/** Clicks on what all pages of the site have, until the page is one of `names`. */
export function atMenu(link: string | RegExp, ...names: readonly string[]): Stage {
  return (view) => (names.some((name) => isAt(view, name)) ? null : menuLink(link)(view))
}

export function isSearchFor(view: SiteView, words: string): boolean {
  return parameterOf(view, 'q') === words
}

/** Searches the site for some words. */
export function search(words: string): Stage {
  return (view) => {
    if (isSearchFor(view, words)) return null
    const field = pageFields(view.page.elements).find((each) => !view.main.includes(each))
    if (field === undefined) return null
    const isFilled = parameterOf(view, 'q') !== null
    const held = heldBy(view, field) ?? (isFilled ? parameterOf(view, 'q') : '')
    if (held !== '' && held !== words) return { kind: 'clear', at: field }
    if (held === words)
      return clickOn(view.page.elements.find(({ role, name }) => role === 'button' && name === 'Search'))
    return { kind: 'type', at: field, text: words, withEnter: true }
  }
}

/** Opens what has just this name, by a search; what the search does not find is not there. */
export function open(name: string): Stage[] {
  return [
    (view) => (isAt(view, name) || linkTo(view, name) !== undefined ? null : search(name)(view)),
    (view) => {
      if (isAt(view, name)) return null
      return clickOn(linkTo(view, name)) ?? { kind: 'stop', answer: notAvailable }
    },
  ]
}

/** Puts a text into a field, or chooses an option by how it begins. */
export function fillIn(label: string, text: string): Stage {
  return (view) => {
    const at = fieldOf(view, label)
    if (at === undefined) return null
    const held = heldBy(view, at)
    if (held === text) return null
    if (at.role === 'combobox') return { kind: 'type', at, text, withEnter: true }
    return held === '' ? { kind: 'type', at, text, withEnter: false } : { kind: 'clear', at }
  }
}

/** Presses a button until `isDone` is true of the page; by default until it was pressed with what the fields hold now. */
export function pressButton(name: string, isDone: (view: SiteView) => boolean = wasPressed(name)): Stage {
  return (view) => (isDone(view) ? null : clickOn(buttonTo(view, name)))
}

/** Whether a button was pressed, and nothing was typed since. */
export function wasPressed(name: string): (view: SiteView) => boolean {
  return ({ situation }) => {
    const typed = situation.past.findLastIndex(({ move }) => move.kind === 'type' || move.kind === 'clear')
    return situation.past
      .slice(typed + 1)
      .some(({ move }) => move.kind === 'click' && spacedName(move.at) === name)
  }
}

/** Whether a text is on the page, outside of fields. */
export function showsText(text: string): (view: SiteView) => boolean {
  return ({ texts }) => texts.some((each) => each.includes(text))
}

/** Whether more is listed than the page shows. */
export function hasMorePages({ main }: SiteView): boolean {
  return main.some(({ role, name }) => role === 'link' && name === 'Page 2')
}

/** The item for which `measure` is least; items without a measure are left out. */
export function leastBy(
  items: readonly SiteItem[],
  measure: (item: SiteItem) => number | null,
): SiteItem | undefined {
  const measured = items.flatMap((item) => {
    const value = measure(item)
    return value === null ? [] : [{ item, value }]
  })
  return measured.toSorted((one, other) => one.value - other.value)[0]?.item
}
