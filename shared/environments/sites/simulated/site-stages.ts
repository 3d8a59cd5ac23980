import type { BrowserMove } from '../../browser/simulated/browser-move.ts'
import { type PlannedMove, pageFields } from '../../browser/simulated/page-situation.ts'
import type { PageElement } from '../../browser/simulated/read-page.ts'
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

/** A stage of a task: its next move on a page. Null if the stage is complete or impossible there. */
export type Stage = (view: SiteView) => BrowserMove | null

export const notAvailable = 'N/A'

export function inStages(view: SiteView, ...stages: readonly Stage[]): PlannedMove | null {
  for (const [at, stage] of stages.entries()) {
    const move = stage(view)
    if (move !== null) return { move, isLast: move.kind === 'stop', left: stages.length - at }
  }
  return null
}

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

export function atMenu(link: string | RegExp, ...names: readonly string[]): Stage {
  return (view) => (names.some((name) => isAt(view, name)) ? null : menuLink(link)(view))
}

export function isSearchFor(view: SiteView, words: string): boolean {
  return parameterOf(view, 'q') === words
}

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

export function open(name: string): Stage[] {
  return [
    (view) => (isAt(view, name) || linkTo(view, name) !== undefined ? null : search(name)(view)),
    (view) => {
      if (isAt(view, name)) return null
      return clickOn(linkTo(view, name)) ?? { kind: 'stop', answer: notAvailable }
    },
  ]
}

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

export function pressButton(name: string, isDone: (view: SiteView) => boolean = wasPressed(name)): Stage {
  return (view) => (isDone(view) ? null : clickOn(buttonTo(view, name)))
}

export function wasPressed(name: string): (view: SiteView) => boolean {
  return ({ situation }) => {
    const typed = situation.past.findLastIndex(({ move }) => move.kind === 'type' || move.kind === 'clear')
    return situation.past
      .slice(typed + 1)
      .some(({ move }) => move.kind === 'click' && spacedName(move.at) === name)
  }
}

export function showsText(text: string): (view: SiteView) => boolean {
  return ({ texts }) => texts.some((each) => each.includes(text))
}

export function hasMorePages({ main }: SiteView): boolean {
  return main.some(({ role, name }) => role === 'link' && name === 'Page 2')
}

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
