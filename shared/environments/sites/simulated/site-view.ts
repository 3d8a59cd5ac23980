import { type PageSituation, pageFields, type ShownPage } from '../../browser/simulated/page-situation.ts'
import { shownValue } from '../../browser/simulated/plan-moves.ts'
import type { PageElement } from '../../browser/simulated/read-page.ts'

export interface SiteItem {
  readonly name: string
  readonly link: PageElement
  readonly picture: string
  readonly before: readonly string[]
  readonly after: readonly string[]
}

export interface SiteView extends ShownPage {
  readonly situation: PageSituation
  /** The page's titles. A set of marks has no headings, so these are candidates. */
  readonly headings: readonly string[]
  readonly main: readonly PageElement[]
  readonly texts: readonly string[]
  readonly items: readonly SiteItem[]
}

export function viewNow(situation: PageSituation): SiteView {
  return readView(situation, situation)
}

export function* viewsSeen(situation: PageSituation): Generator<SiteView> {
  yield viewNow(situation)
  for (const { on } of situation.past.toReversed()) yield readView(situation, on)
}

function readView(situation: PageSituation, { page, address }: ShownPage): SiteView {
  const { elements, form } = page
  const isMarked = form === 'set_of_marks'
  // A set of marks has no landmarks: the first element without a mark is the heading.
  const start = elements.findIndex(({ role, id }) => (isMarked ? id === '' : role === 'main'))
  const end = elements.findIndex(({ role }) => role === 'contentinfo')
  const main = start < 0 ? [] : elements.slice(start, end < 0 ? undefined : end)
  const headings = isMarked
    ? main.slice(0, 3).map(spacedName)
    : main
        .filter(({ role }) => role === 'heading')
        .slice(0, 1)
        .map(spacedName)
  const texts = readable(main).map(spacedName)
  return { situation, page, address, main, headings, texts, items: readItems(main) }
}

export function spacedName({ name }: PageElement): string {
  return name.replaceAll(/\s+/g, ' ').trim()
}

const readableRoles = new Set(['StaticText', 'heading', 'cell'])

function readable(main: readonly PageElement[]): PageElement[] {
  const read: PageElement[] = []
  let field: PageElement | null = null
  for (const element of main) {
    if (field !== null && element.depth > field.depth) continue
    field = pageFields([element])[0] ?? null
    if (readableRoles.has(element.role)) read.push(element)
  }
  return read
}

/** An item is a link after its heading, which has the same words. */
function readItems(main: readonly PageElement[]): SiteItem[] {
  const starts = main.flatMap((element, at) => {
    const before = main[at - 1]
    const isItem =
      element.role === 'link' &&
      (before?.role === 'heading' || before?.role === 'StaticText') &&
      spacedName(before) === spacedName(element)
    return isItem ? [at] : []
  })
  return starts.map((at, index) => {
    const between = main.slice((starts[index - 1] ?? -1) + 1, at)
    const behind = main.slice(at + 1, starts[index + 1])
    const link = main[at] as PageElement
    return {
      name: spacedName(link),
      link,
      picture: between.findLast(({ role }) => role === 'image')?.name ?? '',
      before: between.map(spacedName),
      after: behind.map(spacedName),
    }
  })
}

export function isAt({ headings }: SiteView, name: string): boolean {
  return headings.includes(name)
}

export function linkTo({ main }: SiteView, name: string): PageElement | undefined {
  return main.find((element) => element.role === 'link' && spacedName(element) === name)
}

export function buttonTo({ main }: SiteView, name: string): PageElement | undefined {
  return main.find((element) => element.role === 'button' && spacedName(element) === name)
}

export function fieldOf({ main, page }: SiteView, label: string): PageElement | undefined {
  return pageFields(main).find((field) => {
    if (field.name === label) return true
    if (field.name !== '' && page.form !== 'set_of_marks') return false
    const before = main.slice(0, main.indexOf(field)).findLast(({ role }) => role === 'StaticText')
    const text = before === undefined ? '' : spacedName(before)
    // A set of marks shows a choice and its label as one text.
    return text === label || (field.role === 'combobox' && text.startsWith(`${label} `))
  })
}

/** The content of a field: the shown one, or the text typed since the page was opened. Null if neither is known. */
export function heldBy({ situation, address, page }: SiteView, field: PageElement): string | null {
  const shown = shownValue(situation, field)
  if (shown !== null) return shown
  const index = pageFields(page.elements).indexOf(field)
  const opened = situation.past.findLastIndex(({ on }) => on.address !== address) + 1
  let typed: string | null = null
  for (const { move, field: at } of situation.past.slice(opened)) {
    if (at !== index) continue
    if (move.kind === 'clear') typed = ''
    if (move.kind === 'type') typed = field.role === 'combobox' ? move.text : (typed ?? '') + move.text
  }
  if (field.role === 'combobox' || page.form === 'set_of_marks') return typed
  return ''
}

export function amountIn(text: string): number | null {
  const [, amount] = /^\$([\d,]+(?:\.\d+)?)$/.exec(text) ?? []
  return amount === undefined ? null : Number(amount.replaceAll(',', ''))
}

export function parameterOf({ address }: SiteView, name: string): string | null {
  return URL.canParse(address) ? new URL(address).searchParams.get(name) : null
}
