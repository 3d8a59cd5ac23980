import type { PageSituation, PlannedMove } from '../../browser/simulated/page-situation.ts'
import { opinionLike, readOpinions } from './site-opinions.ts'
import {
  answering,
  atMenu,
  clickOn,
  fillIn,
  hasMorePages,
  inStages,
  isSearchFor,
  leastBy,
  menuLink,
  notAvailable,
  open,
  pressButton,
  type Stage,
  search,
  stop,
} from './site-stages.ts'
import {
  amountIn,
  isAt,
  linkTo,
  parameterOf,
  type SiteItem,
  type SiteView,
  spacedName,
  viewsSeen,
} from './site-view.ts'

export type SitePlan = readonly [RegExp, (view: SiteView, ...parts: string[]) => PlannedMove | null]

export const questionPlans: readonly SitePlan[] = [
  [/^What does the (.+) cost\?$/, (view, name) => answerFrom(view, name, priceOf(view, name))],
  [/^What is the price of the ad "(.+)"\?$/, (view, name) => answerFrom(view, name, priceOf(view, name))],
  [/^Which is the (most expensive|cheapest) product in the category (.+)\? Answer/, extremeOfCategory],
  [/^Who complains in a review of the (.+) that (.+)\?$/, sayingSo],
  [/^Who answered on the post "(.+)" that (.+)\? Answer/, sayingSo],
  [/^How many reviews give the (.+) (\d) stars or fewer\?/, countReviews],
  [/^Show me the products of the category (.+) from (\d+) to (\d+) dollars, cheapest first/, filterCategory],
  [/^What is the status of the order that I placed on (.+)\?$/, (view, date) => ofOrder(view, date, 1)],
  [/^What did the order that I placed on (.+) cost in all/, (view, date) => ofOrder(view, date, 2)],
  [/^How many comments has the post "(.+)"\? Answer/, countComments],
  [/^Which post of the forum (.+) has the most votes\? Answer/, mostVotes],
  [/^Open the newest post of the forum (.+)\.$/, openNewest],
  [/^Open the cheapest ad of the category (.+)\.$/, openCheapest],
  [/^Show the ads with the word "(.+)" from (.+) that cost at most (\d+) dollars/, filterAds],
  [
    /^How high is the .+, in centimetres\? Look at the comments of the ad "(.+)"/,
    fromComments(/(\d+) ?cm\b|(\d+) cent/),
  ],
  [/^From which year is the .+\? Look at the comments of the ad "(.+)"/, fromComments(/\b((?:19|20)\d\d)\b/)],
  [/^Buy an? (.+)\.$/, openOrGiveUp],
  [/^Open the post about .* an? (\w+)\.$/, openOrGiveUp],
  [/^Write to the seller of the (\w+)\.$/, openOrGiveUp],
  [
    /^Which power in watts does the bulb of the (.+) have\?$/,
    (view, name) => factOn(view, name, /(\d+) ?(?:W\b|watt)/),
  ],
  [/^Which telephone number has the owner of the ad "(.+)" at work\?$/, telephoneAtWork],
  [/^Send a private message to (\S+) that says/, messageTo],
]

function answerFrom(view: SiteView, name: string, answer: string | null): PlannedMove | null {
  return answering(view, answer, ...open(name))
}

function priceOf(view: SiteView, name: string): string | null {
  const texts = isAt(view, name) ? view.texts : (view.items.find((item) => item.name === name)?.after ?? [])
  return texts.find((text) => amountIn(text) !== null) ?? null
}

export function itemPrice({ after }: SiteItem): number | null {
  return after.map(amountIn).find((amount) => amount !== null) ?? null
}

export function reachGroup(home: string | RegExp, name: string): Stage[] {
  return [
    (view) => (isAt(view, name) || linkTo(view, name) !== undefined ? null : menuLink(home)(view)),
    (view) => (isAt(view, name) ? null : clickOn(linkTo(view, name))),
  ]
}

/** The first link on all pages of the shop and the classifieds leads home. */
const home = /^(?:Larch Lane|Second Round)$/

function sorted(view: SiteView, order: string, parameter: string): Stage[] {
  if (!hasMorePages(view) && parameterOf(view, 'sort') === null) return []
  const isSorted = () => parameterOf(view, 'sort') === parameter
  return [(now) => (isSorted() ? null : fillIn('Sort by', order)(now)), pressButton('Apply', isSorted)]
}

function extremeOfCategory(view: SiteView, which: string, category: string): PlannedMove | null {
  const sign = which === 'cheapest' ? 1 : -1
  const found = leastBy(view.items, (item) => {
    const price = itemPrice(item)
    return price === null ? null : sign * price
  })
  const isShown = isAt(view, category) && !hasMorePages(view)
  const order = sign > 0 ? 'Price, lowest first' : 'Price, highest first'
  const answer =
    isAt(view, category) && (isShown || parameterOf(view, 'sort') !== null) ? (found?.name ?? null) : null
  return answering(
    view,
    answer,
    ...reachGroup(home, category),
    fillIn('Sort by', order),
    pressButton('Apply', () => false),
  )
}

function sayingSo(view: SiteView, name: string, what: string): PlannedMove | null {
  const author = isAt(view, name) ? opinionLike(readOpinions(view), what)?.author : undefined
  return answering(view, author ?? null, ...open(name))
}

function countReviews(view: SiteView, name: string, most: string): PlannedMove | null {
  const opinions = readOpinions(view).filter(({ stars }) => stars > 0 && stars <= Number(most))
  return answering(view, isAt(view, name) ? String(opinions.length) : null, ...open(name))
}

function filterCategory(view: SiteView, category: string, least: string, most: string): PlannedMove | null {
  const isFiltered = () =>
    parameterOf(view, 'min') === least &&
    parameterOf(view, 'max') === most &&
    parameterOf(view, 'sort') === 'price'
  if (isAt(view, category) && isFiltered()) return inStages(view, stop())
  return inStages(
    view,
    ...reachGroup(home, category),
    fillIn('Price from ($)', least),
    fillIn('Price to ($)', most),
    fillIn('Sort by', 'Price, lowest first'),
    pressButton('Apply', () => false),
    stop(),
  )
}

function ofOrder(view: SiteView, date: string, offset: number): PlannedMove | null {
  const cells = view.main.filter(({ role }) => role === 'cell').map(spacedName)
  const at = cells.indexOf(date)
  const answer = at < 0 ? null : (cells[at + offset] ?? null)
  return answering(view, answer, atMenu('Orders', 'Your orders'))
}

function countComments(view: SiteView, name: string): PlannedMove | null {
  const item = view.items.find((each) => each.name === name)
  const texts = isAt(view, name) ? view.texts : (item?.after ?? [])
  const [count] = texts.flatMap((text) => /^(\d+) comments?$/.exec(text)?.[1] ?? [])
  return answering(view, count ?? null, ...open(name))
}

function votesOf({ before }: SiteItem): number | null {
  const points = before.findLast((text) => /^-?\d+ points?$/.test(text))
  return points === undefined ? null : Number.parseInt(points, 10)
}

function mostVotes(view: SiteView, forum: string): PlannedMove | null {
  const found = leastBy(view.items, (item) => {
    const votes = votesOf(item)
    return votes === null ? null : -votes
  })
  const isShown = isAt(view, forum) && !hasMorePages(view)
  return answering(view, isShown ? (found?.name ?? null) : null, ...reachGroup('Forums', forum))
}

function dateOf({ after }: SiteItem): number | null {
  const [date] = after.flatMap((text) => /(\d+ \w+ \d{4})$/.exec(text)?.[1] ?? [])
  return date === undefined ? null : Date.parse(`${date} UTC`)
}

/** The newest seen page of a group. It is valid only if that page lists all items. */
function groupSeen(situation: PageSituation, name: string): SiteView | undefined {
  for (const view of viewsSeen(situation)) if (isAt(view, name)) return view
  return undefined
}

function openNewest(view: SiteView, forum: string): PlannedMove | null {
  const newest = (list: SiteView) =>
    leastBy(list.items, (item) => {
      const date = dateOf(item)
      return date === null ? null : -date
    })
  return openListed(view, forum, newest, reachGroup('Forums', forum))
}

function openCheapest(view: SiteView, category: string): PlannedMove | null {
  const order = sorted(view, 'Price, lowest first', 'price')
  const cheapest = (list: SiteView) => leastBy(list.items, itemPrice)
  return openListed(view, category, cheapest, [...reachGroup(home, category), ...order])
}

function openListed(
  view: SiteView,
  group: string,
  choose: (list: SiteView) => SiteItem | undefined,
  way: readonly Stage[],
): PlannedMove | null {
  const list = groupSeen(view.situation, group)
  const wanted = list === undefined ? undefined : choose(list)
  if (wanted !== undefined && isAt(view, wanted.name)) return inStages(view, stop())
  return inStages(
    view,
    ...way,
    (now) => clickOn(wanted === undefined ? undefined : linkTo(now, wanted.name)),
    stop(),
  )
}

function filterAds(view: SiteView, word: string, city: string, most: string): PlannedMove | null {
  const isFiltered = parameterOf(view, 'city') === city && parameterOf(view, 'max') === most
  if (isSearchFor(view, word) && isFiltered) return inStages(view, stop())
  return inStages(
    view,
    search(word),
    fillIn('City', city),
    fillIn('Price to ($)', most),
    pressButton('Apply', () => false),
    stop(),
  )
}

function fromComments(pattern: RegExp): SitePlan[1] {
  return (view, name) => {
    const said = isAt(view, name) ? readOpinions(view).map(({ text }) => text) : []
    const [found] = said.flatMap((text) => pattern.exec(text)?.slice(1).filter(Boolean) ?? [])
    return answering(view, found ?? null, ...open(name))
  }
}

function openOrGiveUp(view: SiteView, words: string): PlannedMove | null {
  if (isSearchFor(view, words) && view.items.length === 0) return inStages(view, stop(notAvailable))
  const [first] = view.items
  return inStages(view, search(words), () => clickOn(first?.link), stop())
}

function factOn(view: SiteView, name: string, pattern: RegExp): PlannedMove | null {
  const [found] = view.texts.flatMap((text) => pattern.exec(text)?.[1] ?? [])
  return answering(view, isAt(view, name) ? (found ?? notAvailable) : null, ...open(name))
}

function telephoneAtWork(view: SiteView, name: string): PlannedMove | null {
  if (view.address.includes('/seller/')) {
    const found = view.texts.find((text) => /work/i.test(text) && /\d{3}/.test(text))
    return inStages(view, stop(found ?? notAvailable))
  }
  const seller = (now: SiteView) => {
    const row = now.main.findIndex(({ role, name: label }) => role === 'rowheader' && label === 'Seller')
    return row < 0 ? undefined : now.main.slice(row).find(({ role }) => role === 'link')
  }
  return inStages(view, ...open(name), (now) => clickOn(seller(now)), stop(notAvailable))
}

function messageTo(view: SiteView, person: string): PlannedMove | null {
  const path = `/user/${person}`
  if (view.address.endsWith(path)) {
    const way = view.main.find(({ role, name }) => ['link', 'button'].includes(role) && /message/i.test(name))
    return inStages(view, () => clickOn(way), stop(notAvailable))
  }
  const address = URL.canParse(view.address) ? new URL(path, view.address).href : ''
  return inStages(view, () => ({ kind: 'goto', address }), stop(notAvailable))
}

export function seenOnPages<Answer>(
  situation: PageSituation,
  read: (view: SiteView) => Answer | null,
): Answer | null {
  for (const view of viewsSeen(situation)) {
    const found = read(view)
    if (found !== null) return found
  }
  return null
}

export function priceSeen(situation: PageSituation, name: string): string | null {
  return seenOnPages(situation, (view) => priceOf(view, name))
}
