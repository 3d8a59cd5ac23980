import type { PageSituation, PlannedMove } from '../../browser/simulated/page-situation.ts'
import {
  click,
  clickedNames,
  fill,
  firstOf,
  named,
  ordinal,
  press,
  shownValue,
  submit,
  writable,
} from '../../browser/simulated/plan-moves.ts'
import type { PageElement } from '../../browser/simulated/read-page.ts'
import type { ObjectivePlan } from './miniwob-clicks.ts'

export const fieldPlans: readonly ObjectivePlan[] = [
  [
    /^Enter the username "([^"]+)" and the password "([^"]+)"/,
    (situation, ...texts) => fillAll(situation, texts),
  ],
  [/^Enter the password "([^"]+)" into both/, (situation, text) => fillAll(situation, [text, text])],
  [/^Enter "([^"]+)" into the text field/, (situation, text) => fillAll(situation, [text])],
  [
    /^Type "([^"]+)" in all (upper|lower) case letters/,
    (situation, text, which) =>
      fillAll(situation, [which === 'upper' ? text.toUpperCase() : text.toLowerCase()]),
  ],
  [/^Type the text below into the text field/, (situation) => fillAll(situation, [spelled(situation)])],
  [
    /^Find the (\d+)\w\w word in the paragraph/,
    (situation, which) => fillAll(situation, [wordAt(situation, which)]),
  ],
  [/^Find the last word in the text area/, copyLastWord],
  [/^Copy the text (?:in the|from the (\d+)\w\w) text ?area below/, copyText],
  [
    /^Enter the value of (.+) into the text field/,
    (situation, label) => fillAll(situation, [besideLabel(situation, label)]),
  ],
  [/^Enter the value that corresponds with each label/, fillByLabels],
  [/^Solve for x/, (situation) => fillAll(situation, [solved(situation)])],
  [/^Solve the math problem/, (situation) => fillAll(situation, [solved(situation)])],
  [
    /^Enter (\d\d)\/(\d\d)\/(\d{4}) as the date/,
    (situation, ...parts) => fillParts(situation, parts.join('')),
  ],
  [
    /^Enter (\d+):(\d\d) ([AP]M) as the time/,
    (situation, hour, minute, half) => fillParts(situation, `${hour.padStart(2, '0')}${minute}${half}`),
  ],
  [/^Search for (\w+) movies directed by (\w+) from year (\d+)/, searchMovies],
  [/^Enter an item that starts with "([^"]+)"(?: and ends with "([^"]+)")?/, complete],
  [
    /^Check the (\d+)\w\w radio button and enter the number "([^"]+)" into the (\d+)\w\w textbox/,
    checkAndEnter,
  ],
  [/^Choose (.+) from the dropdown, then click the button labeled "([^"]+)"/, chooseAndClick],
  [/^Select (.+) from the (?:scroll )?list and click Submit/, chooseOption],
  [/^Select (?!words similar)(.+) and click Submit/, checkAll],
  [/^Scroll the textarea to the (top|bottom) of the text/, scrollText],
]

function fillAll(situation: PageSituation, texts: readonly string[]): PlannedMove | null {
  const isCovered = situation.body.some(({ properties }) => properties.disabled === 'True')
  const way = named(situation, 'Cancel', 'button')
  if (isCovered && way !== undefined) return click(way)
  const fields = writable(situation).slice(-texts.length)
  return firstOf(...texts.map((text, at) => () => fill(situation, fields[at], text)), () => submit(situation))
}

function firstField({ body }: PageSituation): number {
  const at = body.findIndex(({ role }) => role === 'textbox')
  return at < 0 ? body.length : at
}

function spelled(situation: PageSituation): string {
  return situation.body
    .slice(0, firstField(situation))
    .map(({ name }) => name)
    .join('')
}

function wordAt(situation: PageSituation, which: string): string {
  const words = spelled(situation).trim().split(/\s+/)
  return (words[ordinal(which) - 1] ?? '').replace(/[.,]+$/, '')
}

function copyLastWord(situation: PageSituation): PlannedMove | null {
  const [area] = writable(situation)
  const text = area === undefined ? '' : (shownValue(situation, area) ?? '')
  return fillAll(situation, [(text.trim().split(/\s+/).at(-1) ?? '').replace(/\.$/, '')])
}

function copyText(situation: PageSituation, which = '1'): PlannedMove | null {
  const area = writable(situation)[ordinal(which || '1') - 1]
  return area === undefined ? null : fillAll(situation, [shownValue(situation, area) ?? ''])
}

function besideLabel({ body }: PageSituation, label: string): string {
  const at = body.findIndex(({ role, name }) => role === 'cell' && name === label)
  return at < 0 ? '' : (body[at + 1]?.name ?? '')
}

function fillByLabels(situation: PageSituation): PlannedMove | null {
  const { body } = situation
  const fills = writable(situation).map((field) => () => {
    const label = body.slice(0, body.indexOf(field)).findLast(({ role }) => role === 'StaticText')
    return fill(situation, field, besideLabel(situation, (label?.name ?? '').replace(/:$/, '')))
  })
  return firstOf(...fills, () => submit(situation))
}

function solved(situation: PageSituation): string {
  const equation = spelled(situation).replaceAll(/\s/g, '')
  const [, a = '', sign, b = '', result = ''] = /^(-?\d+|x)([-+*x×])(-?\d+|x)=(-?\d+)?/.exec(equation) ?? []
  const [left, right, total] = [Number(a), Number(b), Number(result)]
  if (a === 'x') return String(sign === '-' ? total + right : total - right)
  if (b === 'x') return String(sign === '-' ? left - total : total - left)
  if (sign === '+') return String(left + right)
  return String(sign === '-' ? left - right : left * right)
}

function fillParts(situation: PageSituation, text: string): PlannedMove | null {
  const [first] = situation.body.filter(({ role }) => role === 'spinbutton')
  const isTyped = situation.past.some(({ move }) => move.kind === 'type' && move.text === text)
  if (first === undefined || isTyped) return submit(situation)
  return { move: { kind: 'type', at: first, text, withEnter: false }, isLast: false }
}

function searchMovies(situation: PageSituation, genre: string, director: string, year: string) {
  const { body } = situation
  const fills = writable(situation).map((field) => () => {
    const label = body
      .slice(0, body.indexOf(field))
      .findLast(({ role }) => role === 'StaticText' || role === 'rowheader' || role === 'LabelText')
    const asked = `${field.name} ${label?.name ?? ''}`.toLowerCase()
    const text = asked.includes('director') ? director : /year|date/.test(asked) ? year : genre
    return fill(situation, field, text)
  })
  return firstOf(...fills, () => submit(situation))
}

function complete(situation: PageSituation, start: string, end = ''): PlannedMove | null {
  const [field] = writable(situation)
  const fits = (name: string) => name.startsWith(start) && name.endsWith(end)
  const value = field === undefined ? '' : (shownValue(situation, field) ?? '')
  if (value !== start && fits(value)) return submit(situation)
  const offered = situation.body.slice(situation.body.findIndex(({ role }) => role === 'button') + 1)
  const item = offered.find(({ role, name }) => role === 'StaticText' && fits(name))
  return firstOf(
    () => fill(situation, field, start),
    () => click(item),
  )
}

function checkAndEnter(
  situation: PageSituation,
  radio: string,
  text: string,
  box: string,
): PlannedMove | null {
  const chosen = situation.body.filter(({ role }) => role === 'radio')[ordinal(radio) - 1]
  return firstOf(
    () => (chosen?.properties.checked === 'true' ? null : click(chosen)),
    () => fill(situation, writable(situation)[ordinal(box) - 1], text),
    () => submit(situation),
  )
}

function combobox({ body }: PageSituation): PageElement | undefined {
  return body.find(({ role }) => role === 'combobox')
}

function chooseAndClick(situation: PageSituation, option: string, button: string): PlannedMove | null {
  return firstOf(
    () => fill(situation, combobox(situation), option),
    () => click(named(situation, button, 'button'), true),
  )
}

/** Selects an option of an always open list by keys, because an option outside the view cannot be clicked. */
function chooseOption(situation: PageSituation, wanted: string): PlannedMove | null {
  const list = situation.body.find(({ role }) => role === 'listbox')
  if (list === undefined) {
    return firstOf(
      () => fill(situation, combobox(situation), wanted),
      () => submit(situation),
    )
  }
  const options = situation.body.filter(({ role }) => role === 'option')
  const [first] = options
  const missing = wanted
    .split(', ')
    .filter((name) => named(situation, name, 'option')?.properties.selected !== 'True')
  if (missing.length === 0) return submit(situation)
  if (wanted.includes(', ') || first === undefined) return null
  const chosen = options.findIndex(({ properties }) => properties.selected === 'True')
  const target = options.findIndex(({ name }) => name === wanted)
  if (chosen < 0) return click(first)
  return press(target > chosen ? 'ArrowDown' : 'ArrowUp')
}

function checkAll(situation: PageSituation, wanted: string): PlannedMove | null {
  const names = wanted === 'nothing' ? [] : wanted.split(', ')
  const box = situation.body.find(
    ({ role, name, properties }) =>
      (role === 'checkbox' || role === 'radio') &&
      (properties.checked === 'true') !== names.includes(name) &&
      (role === 'checkbox' || names.includes(name)),
  )
  return click(box) ?? submit(situation)
}

function scrollText(situation: PageSituation, where: string): PlannedMove | null {
  const keys = where === 'top' ? 'Control+Home' : 'Control+End'
  const last = situation.past.at(-1)?.move
  if (last?.kind === 'press' && last.keys === keys) return submit(situation)
  const [area] = writable(situation)
  return last?.kind === 'click' && clickedNames(situation).length > 0 ? press(keys) : click(area)
}
