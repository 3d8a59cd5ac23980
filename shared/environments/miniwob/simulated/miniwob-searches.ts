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
import type { ObjectivePlan } from './miniwob-clicks.ts'

export const searchPlans: readonly ObjectivePlan[] = [
  [/^Use the textbox to enter "([^"]+)" and press "Search", .* the (\d+)\w\w search result/, searchResults],
  [/^Find (\w+) in the contact book and click on their (\w+)/, findContact],
  [
    /^Navigate through the file tree. .* named "([^"]+)"/,
    (situation, name) => click(named(situation, name), true),
  ],
  [/^Buy the ticket with the (cheapest|shortest|.*?) (?:cost|duration)/, buyTicket],
  [/^Find and pick the card with the greatest number/, pickGreatest],
  [/^Generate a number (less|greater) than (-?\d+)/, generateNumber],
  [/^Mark the numbers below as odd or even/, markNumbers],
  [/^Buy \w+ stock when the price is less than \$(\d+(?:\.\d+)?)/, buyStock],
  [
    /^Use the terminal below to delete a file (?:that has no file extension|ending with the extension \.(\w+))/,
    deleteFile,
  ],
  [/^Find the email by (\w+) and click the (star|trash) icon/, clickIcon],
  [/^Find the email by (\w+) and (forward) that email to (\w+)/, answerMail],
  [/^Find the email by (\w+) and (reply) to them with the text "([^"]+)"/, answerMail],
  [/^Select (\d\d)\/(\d\d)\/(\d{4}) as the date/, pickDate],
]

const resultsOnPage = 3

function searchResults(situation: PageSituation, words: string, which: string): PlannedMove | null {
  const [field] = writable(situation)
  const clicked = clickedNames(situation)
  const results = situation.body.filter(({ role, name }) => role === 'link' && !/^(?:\d+|[<>])$/.test(name))
  if (results.length === 0) {
    return firstOf(
      () => fill(situation, field, words),
      () => click(named(situation, 'Search', 'button')),
    )
  }
  const turned = clicked.filter((name) => name === '>').length - clicked.filter((name) => name === '<').length
  const target = ordinal(which) - 1 - turned * resultsOnPage
  if (target >= 0 && target < resultsOnPage) return click(results[target], true)
  return click(named(situation, target < 0 ? '<' : '>', 'link'))
}

function findContact(situation: PageSituation, name: string, what: string): PlannedMove | null {
  const { body } = situation
  if (!body.some((element) => element.role === 'heading' && element.name === name)) {
    return click(named(situation, '>', 'link'))
  }
  const label = body.findIndex((element) => element.name.toLowerCase().startsWith(what.split(' ')[0] ?? ''))
  return click(
    body.slice(label).find(({ role }) => role === 'link'),
    true,
  )
}

function buyTicket({ body, objective }: PageSituation): PlannedMove | null {
  const isByCost = objective.includes('cost')
  const tickets = body.flatMap((element, at) => {
    if (element.role !== 'button') return []
    const [, hours = 0, minutes = 0] =
      /(\d+)h(?: (\d+)m)?/.exec(body.slice(0, at).findLast(({ name }) => /\dh/.test(name))?.name ?? '') ?? []
    const cost = Number(/\$(\d+)/.exec(element.name)?.[1])
    return [{ element, score: isByCost ? cost : Number(hours) * 60 + Number(minutes) }]
  })
  const best = Math.min(...tickets.map(({ score }) => score))
  return click(tickets.find(({ score }) => score === best)?.element, true)
}

function pickGreatest(situation: PageSituation): PlannedMove | null {
  const cards = situation.body.filter(({ role, name }) => role === 'StaticText' && /^-?\d+$/.test(name))
  const greatest = Math.max(...cards.map(({ name }) => Number(name)))
  if (clickedNames(situation).at(-1) === String(greatest)) return submit(situation)
  return click(cards.find(({ name }) => Number(name) === greatest))
}

function generateNumber(situation: PageSituation, which: string, bound: string): PlannedMove | null {
  const shown = situation.body.find(({ role, name }) => role === 'StaticText' && /^-?\d+$/.test(name))
  const number = Number(shown?.name)
  const fits = which === 'less' ? number < Number(bound) : number > Number(bound)
  return fits ? submit(situation) : click(named(situation, 'Generate', 'button'))
}

function markNumbers(situation: PageSituation): PlannedMove | null {
  const odd = situation.body.flatMap(({ name }, at) => (name === 'Odd' ? [at] : []))
  const marked = clickedNames(situation).filter((name) => name === 'Odd' || name === 'Even').length
  const at = odd[marked]
  if (at === undefined) return submit(situation)
  const row = situation.body.slice(at, at + 3)
  const number = row.find(({ name }) => /^-?\d+$/.test(name))
  const isOdd = number !== undefined && Number(number.name) % 2 !== 0
  return click(row.find(({ name }) => name === (isOdd ? 'Odd' : 'Even')))
}

function buyStock(situation: PageSituation, limit: string): PlannedMove | null {
  const price = situation.body.find(({ name }) => /^\$[\d.]+$/.test(name))?.name ?? '$1000'
  return Number(price.slice(1)) < Number(limit)
    ? click(named(situation, 'Buy', 'button'), true)
    : press('Shift')
}

function deleteFile(situation: PageSituation, extension = ''): PlannedMove | null {
  const at = situation.body.find(({ role }) => role === 'textbox')
  if (at === undefined) return null
  const lists = situation.body.findIndex(({ name }) => name === 'ls')
  const files = lists < 0 ? [] : (situation.body[lists + 1]?.name ?? '').split(' ')
  const file = files.find((name) =>
    extension === '' ? !name.includes('.') : name.split('.').at(-1) === extension,
  )
  const text = file === undefined ? 'ls' : `rm ${file}`
  return { move: { kind: 'type', at, text, withEnter: true }, isLast: file !== undefined }
}

/** The icons for the bin and the star follow the lines of a mail. */
function clickIcon({ body }: PageSituation, sender: string, icon: string): PlannedMove | null {
  const at = body.findIndex(({ role, name }) => role === 'StaticText' && name === sender)
  if (at < 0) return null
  const icons = body.slice(at).filter(({ role }) => role === 'image')
  return click(icons[icon === 'trash' ? 0 : 1], true)
}

function answerMail(situation: PageSituation, sender: string, how: string, what: string): PlannedMove | null {
  const fields = writable(situation)
  const field = how === 'forward' ? fields[0] : fields.at(-1)
  if (field !== undefined) {
    return firstOf(
      () => fill(situation, field, what),
      () => sendMail(situation),
    )
  }
  const open = named(situation, how === 'forward' ? 'Forward' : 'Reply')
  return click(open) ?? click(named(situation, sender))
}

function sendMail({ body }: PageSituation): PlannedMove | null {
  const field = body.findIndex(({ role }) => role === 'textbox')
  const images = body.slice(0, field).filter(({ role }) => role === 'image')
  return click(images.at(-1), true)
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
)

function pickDate(situation: PageSituation, month: string, day: string, year: string): PlannedMove | null {
  const { body } = situation
  const [field] = writable(situation)
  const isPicked = clickedNames(situation).at(-1) === String(Number(day))
  if (isPicked || (field !== undefined && shownValue(situation, field) === `${month}/${day}/${year}`)) {
    return submit(situation)
  }
  const names = new Set(body.map(({ name }) => name))
  const shown = months.findIndex((name) => names.has(name))
  if (shown < 0) return click(field)
  if (shown === Number(month) - 1) return click(named(situation, String(Number(day)), 'link'))
  return click(named(situation, shown > Number(month) - 1 ? 'Prev' : 'Next'))
}
