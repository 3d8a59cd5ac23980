import type { PageSituation, PlannedMove } from '../../browser/simulated/page-situation.ts'
import {
  click,
  clickedNames,
  firstOf,
  hover,
  named,
  ordinal,
  press,
  submit,
} from '../../browser/simulated/plan-moves.ts'

export type ObjectivePlan = readonly [
  RegExp,
  (situation: PageSituation, ...parts: string[]) => PlannedMove | null,
]

export const clickPlans: readonly ObjectivePlan[] = [
  [/^Click the button that best describes the figure below/, describeFigure],
  [/^Click button (\w+), wait (\d+) seconds?, then click button (\w+)/, clickLater],
  [/^Click button (\w+), then click button (\w+)/, (situation, ...names) => inOrder(situation, names)],
  [
    /^Click the button\.$/,
    ({ body }) =>
      click(
        body.find(({ role }) => role === 'button'),
        true,
      ),
  ],
  [/^Click the "([^"]+)" button, and then find and click on the item labeled "([^"]+)"/, openMenu],
  [
    /^Click (?:the )?(?:on the )?(?:button )?(?:in the dialog box )?(?:labeled )?"?([^"]+?)"?(?: button)?\.?$/,
    (situation, name) => click(named(situation, name, 'button'), true),
  ],
  [/dialog box by clicking the "x"/, (situation) => click(named(situation, 'Close'), true)],
  [/^Switch between the tabs .* link "([^"]+)"/, (situation, name) => searchTabs(situation, name)],
  [/^Expand the sections below, .* link "([^"]+)"/, (situation, name) => searchTabs(situation, name)],
  [/^Expand the section below and click submit/, expandAndSubmit],
  [/^Click on (Tab #\d+)/, (situation, name) => click(named(situation, name, 'link'), true)],
  [/^Click on the link "([^"]+)"/, (situation, name) => click(named(situation, name), true)],
  [/^Select ([^>,\s]+(?:>[^>,\s]+)*)$/, (situation, path) => followMenu(situation, path.split('>'))],
  [/pie menu below and click on the item labeled "([^"]+)"/, openPie],
  [/^Click on a "([^"]+)" widget/, clickWidget],
  [/^Click on an? (?:\w+ )*(digit|letter)$/, clickGlyph],
  [/^Click on an? (\w)$/, (situation, glyph) => click(named(situation, glyph), true)],
  [
    /^Focus into the textbox/,
    ({ body }) =>
      click(
        body.find(({ role }) => role === 'textbox'),
        true,
      ),
  ],
  [
    /^Focus into the (\d+)\w\w input textbox/,
    ({ body }, which) => click(body.filter(({ role }) => role === 'textbox')[ordinal(which) - 1], true),
  ],
]

function inOrder(situation: PageSituation, names: readonly string[]): PlannedMove | null {
  const clicked = clickedNames(situation)
  let done = 0
  for (const name of clicked) if (name === names[done]) done += 1
  const name = names[done]
  return name === undefined ? null : click(named(situation, name), done === names.length - 1)
}

/** Each action takes a second of the page's clock. */
function clickLater(situation: PageSituation, first: string, seconds: string, second: string) {
  const start = situation.past.findLastIndex(({ move }) => move.kind === 'click' && move.at.name === first)
  if (start < 0) return click(named(situation, first))
  const waited = situation.past.length - start
  return waited < Number(seconds) ? hover(named(situation, first)) : click(named(situation, second), true)
}

function openMenu(situation: PageSituation, menu: string, item: string): PlannedMove | null {
  const found = named(situation, item, 'menuitem')
  if (found !== undefined) return click(found, true)
  if (!clickedNames(situation).includes(menu)) return click(named(situation, menu))
  const closed = situation.body.filter(({ properties }) => properties.hasPopup === 'menu')
  return hover(closed.find(({ name }) => !wasHovered(situation, name)))
}

/** Menus open under the mouse. A click on an item that only opens a submenu ends the page. */
function followMenu(situation: PageSituation, path: readonly string[]): PlannedMove | null {
  const last = path.at(-1) ?? ''
  const item = named(situation, last, 'menuitem')
  if (path.length === 1 || item !== undefined) return click(item, true)
  const way = path.filter((name) => named(situation, name, 'menuitem') !== undefined)
  return hover(named(situation, way.at(-1) ?? '', 'menuitem'))
}

function wasHovered({ past }: PageSituation, name: string): boolean {
  return past.some(({ move }) => move.kind === 'hover' && move.at.name === name)
}

function searchTabs(situation: PageSituation, name: string): PlannedMove | null {
  const { body } = situation
  const tabs = body.filter(({ role }) => role === 'tab')
  const visited = new Set(clickedNames(situation))
  const found = body.find((element) => element.name === name && !tabs.includes(element))
  const next = tabs.find((tab) => tab.properties.expanded !== 'True' && !visited.has(tab.name.trim()))
  return click(found, true) ?? click(next)
}

function expandAndSubmit(situation: PageSituation): PlannedMove | null {
  const section = situation.body.find(({ role, name }) => role === 'tab' && name.startsWith('Section'))
  return section?.properties.expanded === 'False' ? click(section) : submit(situation)
}

function openPie(situation: PageSituation, name: string): PlannedMove | null {
  const opener = named(situation, '+')
  const isOpen = clickedNames(situation).includes('+') || wasHovered(situation, '+')
  return isOpen
    ? click(named(situation, name), true)
    : firstOf(
        () => hover(opener),
        () => press('Tab'),
      )
}

const widgetRoles: Readonly<Record<string, string>> = {
  button: 'button',
  checkbox: 'checkbox',
  radio: 'radio',
  text: 'textbox',
  textarea: 'textbox',
}

/**
 * The tree does not distinguish single-line and multi-line fields. Multi-line ones come last on the page, or first.
 */
function clickWidget({ body }: PageSituation, widget: string): PlannedMove | null {
  const fitting = body.filter(({ role }) => role === widgetRoles[widget])
  return click(widget === 'textarea' ? fitting.at(-1) : fitting[0], true)
}

function clickGlyph({ body }: PageSituation, kind: string): PlannedMove | null {
  const glyph = kind === 'digit' ? /^\d$/ : /^[a-z]$/i
  return click(
    body.find(({ role, name }) => role === 'StaticText' && glyph.test(name)),
    true,
  )
}

function describeFigure(situation: PageSituation): PlannedMove | null {
  const glyph = situation.body.find(({ role }) => role === 'StaticText')?.name ?? ''
  const kind = /\d/.test(glyph) ? 'Number' : /[a-z]/i.test(glyph) ? 'Letter' : 'Triangle'
  return click(named(situation, kind), true)
}
