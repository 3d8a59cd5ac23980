import type { PlannedMove } from '../../browser/simulated/page-situation.ts'
import { putIntoCart } from './site-changes.ts'
import { itemPrice, type SitePlan } from './site-questions.ts'
import { answering, inStages, isSearchFor, leastBy, notAvailable, open, search, stop } from './site-stages.ts'
import { isAt, type SiteItem, type SiteView, viewsSeen } from './site-view.ts'

/**
 * Objectives about the contents of pictures. They rely on descriptions in the page's text, which a run can generate.
 * Without descriptions, the first item of its kind is a guess, and questions about colours and numbers have no plan.
 */
export const picturePlans: readonly SitePlan[] = [
  [/^What colour is the (.+) in its picture\?$/, colourOf],
  [/^Put the product whose picture shows an? (\w+) (.+) into my cart/, cartPictured],
  [/^Open the (?:post|ad) whose picture shows an? (\w+) (.+)\.$/, openPictured],
  [/^How many .+ are in the picture of the (?:post|ad) "(.+)"\? Answer/, countIn],
  [/^What does the cheapest (.+) cost whose picture does not show it in (\w+)\?$/, cheapestNotIn],
]

const described = /description: (.*?)(?:, url: |$)/

function descriptionIn(name: string): string | null {
  return described.exec(name)?.[1]?.toLowerCase() ?? null
}

function pictureOf(view: SiteView, name: string): string | null {
  const listed = view.items.find((item) => item.name === name)?.picture
  const own = isAt(view, name) ? view.main.find(({ role }) => role === 'image')?.name : undefined
  return descriptionIn(own ?? listed ?? '')
}

const colours = /\b(red|orange|yellow|green|teal|blue|purple|violet|pink|brown|black|grey|white)\b/

function colourOf(view: SiteView, name: string): PlannedMove | null {
  const description = pictureOf(view, name)
  const colour = description === null ? null : (colours.exec(description)?.[1] ?? notAvailable)
  return answering(view, colour, ...open(name))
}

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

function countIn(view: SiteView, name: string): PlannedMove | null {
  const description = pictureOf(view, name)
  const [word = ''] =
    description === null
      ? []
      : (/\b(?:\d+|one|two|three|four|five|six|seven|eight|nine)\b/.exec(description) ?? ['one'])
  const count = numbers.includes(word) ? String(numbers.indexOf(word)) : word
  return answering(view, description === null ? null : count, ...open(name))
}

function listOf(view: SiteView, thing: string): SiteView | undefined {
  for (const seen of viewsSeen(view.situation)) if (isSearchFor(seen, thing)) return seen
  return undefined
}

function pictured(view: SiteView, colour: string, thing: string): SiteItem | null | undefined {
  const list = listOf(view, thing)
  if (list === undefined) return null
  // Without descriptions, this is a guess.
  if (list.items.every(({ picture }) => descriptionIn(picture) === null)) return list.items[0]
  return list.items.find(({ picture }) => descriptionIn(picture)?.includes(colour) === true)
}

function openPictured(view: SiteView, colour: string, thing: string): PlannedMove | null {
  const found = pictured(view, colour, thing)
  if (found === null) return inStages(view, search(thing), () => null, stop())
  if (found === undefined) return inStages(view, stop(notAvailable))
  return inStages(view, ...open(found.name), stop())
}

function cartPictured(view: SiteView, colour: string, thing: string): PlannedMove | null {
  const found = pictured(view, colour, thing)
  if (found === null) return inStages(view, search(thing), ...Array.from({ length: 3 }, () => () => null))
  if (found === undefined) return inStages(view, stop(notAvailable))
  return putIntoCart(view, '1', found.name)
}

function cheapestNotIn(view: SiteView, thing: string, colour: string): PlannedMove | null {
  const list = listOf(view, thing)
  const others = list?.items.filter(({ picture }) => descriptionIn(picture)?.includes(colour) === false) ?? []
  const found = leastBy(others, itemPrice)
  const price = found?.after.find((text) => text.startsWith('$')) ?? null
  return answering(view, list === undefined ? null : (price ?? notAvailable), search(thing))
}
