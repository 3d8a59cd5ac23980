import type { PlannedMove } from '../../browser/simulated/page-situation.ts'
import { priceSeen, reachGroup, type SitePlan, seenOnPages } from './site-questions.ts'
import {
  atMenu,
  clickOn,
  fillIn,
  inStages,
  menuLink,
  open,
  pressButton,
  type Stage,
  showsText,
  stop,
  wasPressed,
} from './site-stages.ts'
import { buttonTo, isAt, linkTo, type SiteView, spacedName } from './site-view.ts'

export const changePlans: readonly SitePlan[] = [
  [/^Put (\d+) of the (.+) into my cart/, putIntoCart],
  [
    /^Order (\d+) of the (.+) with (\w+) shipping to the address of my account/,
    (view, quantity, name, shipping) => order(view, name, quantity, [['Shipping', titled(shipping)]]),
  ],
  [
    /^Order an? (.+) as a present, with (\w+) shipping to (.+), (.+), (\d+) (.+), with the note "(.+)"/,
    orderPresent,
  ],
  [/^Write a review of the (.+) with (\d) stars, the title "(.+)" and the text "(.+)"/, review],
  [/^Cancel the order that is still being (\w+)/, cancelOrder],
  [/^Put the (.+) on my wish list/, (view, name) => pressOn(view, open(name), 'Add to wish list')],
  [/^Change the address of my account to (.+), (\d+) (.+)\.$/, changeAddress],
  [
    /^Change the telephone number of my account to (.+)\.$/,
    (view, number) => changeAccount(view, [['Telephone', number]]),
  ],
  [/^Upvote the post "(.+)"\.$/, upvote],
  [/^Write the comment "(.+)" below the post "(.+)"/, comment],
  [/^Reply to the comment by (\S+) on the post "(.+)" with "(.+)"\.$/, reply],
  [/^Write a post in the forum (.+) with the title "(.+)" and the text "(.+)"\.$/, writePost],
  [/^Replace the text of my post "(.+)" by "(.+)"\.$/, editPost],
  [/^Delete my post "(.+)"\.$/, (view, name) => pressOn(view, open(name), 'Delete this post')],
  [
    /^Subscribe to the forum (.+)\.$/,
    (view, forum) => pressOn(view, reachGroup('Forums', forum), `Subscribe to ${forum}`),
  ],
  [/^Change my biography to "(.+)"\.$/, changeBiography],
  [/^Leave a comment on the ad "(.+)" with the title "(.+)" and the text "(.+)"\.$/, commentAd],
  [/^Write to the seller of the ad "(.+)": "(.+)"\.$/, writeToSeller],
  [
    /^Publish an ad in the category (.+) with the title "(.+)", the description "(.+)", for (\S+) dollars, in (.+)\.$/,
    publishAd,
  ],
  [/^Change the price of my ad "(.+)" to (\S+) dollars/, changePrice],
  [/^Delete my ad "(.+)"\.$/, (view, name) => pressOn(view, openOwn(name), 'Delete this ad')],
  [/^Watch the ad "(.+)"\.$/, (view, name) => pressOn(view, open(name), 'Watch this ad')],
  [
    /^Look up what the (.+) costs new at Larch Lane, and leave a comment with the title "(.+)" .* on the ad "(.+)"/,
    comparePrice,
  ],
  [
    /^Write a post in the forum (.+) with the title "(.+)", whose text is the description of the ad "(.+)"/,
    postDescription,
  ],
]

type Fields = readonly (readonly [label: string, text: string])[]

const fillAll = (fields: Fields): Stage[] => fields.map(([label, text]) => fillIn(label, text))

function pressOn(view: SiteView, way: readonly Stage[], button: string): PlannedMove | null {
  const wasDone = (now: SiteView) =>
    wasPressed(button)(now) || buttonTo(now, button)?.properties.pressed === 'true'
  return wasDone(view) ? inStages(view, stop()) : inStages(view, ...way, pressButton(button, wasDone), stop())
}

function submit(
  view: SiteView,
  way: readonly Stage[],
  fields: Fields,
  button: string,
  isDone: (view: SiteView) => boolean,
): PlannedMove | null {
  if (isDone(view)) return inStages(view, stop())
  return inStages(
    view,
    ...way,
    ...fillAll(fields),
    pressButton(button, () => false),
    stop(),
  )
}

export function putIntoCart(view: SiteView, quantity: string, name: string): PlannedMove | null {
  const field = view.main.find((each) => each.name === `Quantity of ${name}`)
  if (field !== undefined) {
    const update = pressButton(`Update the quantity of ${name}`)
    const isRight = field.properties.valuetext === quantity || field.properties.valuetext === undefined
    const mend = isRight ? [] : [fillIn(`Quantity of ${name}`, quantity), update]
    return inStages(view, ...mend, stop())
  }
  if (isAt(view, 'Your cart') && linkTo(view, name) !== undefined) return inStages(view, stop())
  return inStages(
    view,
    ...open(name),
    fillIn('Quantity', quantity),
    pressButton('Add to cart', () => false),
    stop(),
  )
}

function order(view: SiteView, name: string, quantity: string, fields: Fields): PlannedMove | null {
  const place = 'Place the order'
  if (view.headings.some((heading) => /^Order \d+$/.test(heading)) && wasPressed(place)(view))
    return inStages(view, stop())
  const rest = [...fillAll(fields), pressButton(place, () => false), stop()]
  if (isAt(view, 'Checkout')) return inStages(view, ...rest)
  const inCart = putIntoCart(view, quantity, name)
  if (inCart === null) return null
  const left = (inCart.left ?? 1) + rest.length
  // Next, check out the cart.
  if (inCart.move.kind !== 'stop' || inCart.move.answer !== '') return { ...inCart, left }
  return inStages(view, () => clickOn(linkTo(view, 'Go to checkout')), ...rest)
}

function orderPresent(
  view: SiteView,
  name: string,
  shipping: string,
  person: string,
  street: string,
  postcode: string,
  city: string,
  note: string,
): PlannedMove | null {
  return order(view, name, '1', [
    ['Name', person],
    ['Street', street],
    ['Postcode', postcode],
    ['City', city],
    ['Shipping', titled(shipping)],
    ['Note to the shop', note],
  ])
}

function titled(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function review(
  view: SiteView,
  name: string,
  stars: string,
  title: string,
  text: string,
): PlannedMove | null {
  const fields: Fields = [
    ['Your rating', `${stars} star`],
    ['Title of the review', title],
    ['Review', text],
  ]
  return submit(view, open(name), fields, 'Publish the review', showsText(text))
}

function cancelOrder(view: SiteView, status: string): PlannedMove | null {
  const cancel = 'Cancel this order'
  if (wasPressed(cancel)(view)) return inStages(view, stop())
  const cells = view.main.filter(({ role }) => role === 'cell').map(spacedName)
  // "being processed" is listed as "processing".
  const at = cells.indexOf(status.replace(/ed$/, 'ing'))
  const number = cells[at - 2] ?? ''
  const isOrder = buttonTo(view, cancel) !== undefined
  return inStages(
    view,
    (now) => (isOrder ? null : atMenu('Orders', 'Your orders')(now)),
    (now) => (isOrder ? null : clickOn(linkTo(now, number))),
    pressButton(cancel),
    stop(),
  )
}

function changeAccount(view: SiteView, fields: Fields): PlannedMove | null {
  const account = 'Your account'
  if (wasPressed('Save')(view)) return inStages(view, stop())
  return inStages(view, atMenu('Account', account), ...fillAll(fields), pressButton('Save'), stop())
}

function changeAddress(view: SiteView, street: string, postcode: string, city: string): PlannedMove | null {
  return changeAccount(view, [
    ['Street', street],
    ['Postcode', postcode],
    ['City', city],
  ])
}

function upvote(view: SiteView, name: string): PlannedMove | null {
  return pressOn(view, buttonTo(view, `Upvote ${name}`) === undefined ? open(name) : [], `Upvote ${name}`)
}

function comment(view: SiteView, text: string, post: string): PlannedMove | null {
  return submit(view, open(post), [['Comment', text]], 'Publish the comment', showsText(text))
}

function reply(view: SiteView, person: string, post: string, text: string): PlannedMove | null {
  const form = `Reply to a comment on ${post}`
  const way: Stage[] = [...open(post), (now) => clickOn(linkTo(now, `Reply to ${person}`))]
  return submit(view, isAt(view, form) ? [] : way, [['Reply', text]], 'Publish the reply', showsText(text))
}

function writePost(view: SiteView, forum: string, title: string, text: string): PlannedMove | null {
  const isDone = (now: SiteView) => isAt(now, title) && showsText(text)(now)
  const fields: Fields = [
    ['Forum', forum],
    ['Title', title],
    ['Text', text],
  ]
  return submit(view, [atMenu('Write a post', 'Write a post')], fields, 'Publish the post', isDone)
}

function editPost(view: SiteView, post: string, text: string): PlannedMove | null {
  const way: Stage[] = isAt(view, 'Edit a post') ? [] : [...open(post), (now) => clickOn(linkTo(now, 'Edit'))]
  return submit(view, way, [['Text', text]], 'Save', showsText(text))
}

function changeBiography(view: SiteView, text: string): PlannedMove | null {
  const isForm = isAt(view, 'Your account')
  const way: Stage[] = isForm
    ? []
    : [
        (now) => (linkTo(now, 'Edit biography') === undefined ? clickOn(accountLink(now)) : null),
        (now) => clickOn(linkTo(now, 'Edit biography')),
      ]
  return submit(
    view,
    way,
    [['Biography', text]],
    'Save',
    (now) => showsText(text)(now) || wasPressed('Save')(now),
  )
}

function accountLink({ page, main }: SiteView) {
  const first = page.elements.indexOf(main[0] ?? (page.elements[0] as never))
  return page.elements.slice(0, first).findLast(({ role }) => role === 'link')
}

function commentAd(view: SiteView, ad: string, title: string, text: string): PlannedMove | null {
  const fields: Fields = [
    ['Title', title],
    ['Comment', text],
  ]
  return submit(view, open(ad), fields, 'Publish the comment', (now) => isAt(now, ad) && showsText(text)(now))
}

function writeToSeller(view: SiteView, ad: string, text: string): PlannedMove | null {
  const isSent = (now: SiteView) => showsText(text)(now) || wasPressed('Send the message')(now)
  return submit(view, open(ad), [['Message', text]], 'Send the message', isSent)
}

function publishAd(
  view: SiteView,
  category: string,
  title: string,
  text: string,
  price: string,
  city: string,
): PlannedMove | null {
  const fields: Fields = [
    ['Category', category],
    ['Title', title],
    ['Description', text],
    ['Price ($)', price],
    ['City', city],
  ]
  const isDone = (now: SiteView) => isAt(now, title) && showsText(text)(now)
  return submit(view, [atMenu('Publish an ad', 'Publish an ad')], fields, 'Publish the ad', isDone)
}

function openOwn(ad: string): Stage[] {
  return [
    (view) => (isAt(view, ad) || isAt(view, 'My ads') ? null : menuLink('My ads')(view)),
    (view) => (isAt(view, ad) ? null : clickOn(linkTo(view, ad))),
  ]
}

function changePrice(view: SiteView, ad: string, price: string): PlannedMove | null {
  const isForm = buttonTo(view, 'Save') !== undefined
  const way = isForm ? [] : [...openOwn(ad), (now: SiteView) => clickOn(linkTo(now, 'Edit this ad'))]
  const shown = `$${Number(price).toFixed(2)}`
  return submit(
    view,
    way,
    [['Price ($)', price]],
    'Save',
    (now) => isAt(now, ad) && now.texts.includes(shown),
  )
}

const shop = 'http://onestopmarket.com'
const forum = 'http://reddit.com'
const ads = 'http://classifieds.com'

function onSite(address: string): Stage {
  return (view) => (view.address.startsWith(address) ? null : { kind: 'goto', address: `${address}/` })
}

function comparePrice(view: SiteView, product: string, title: string, ad: string): PlannedMove | null {
  const price = priceSeen(view.situation, product)
  if (price === null)
    return inStages(view, onSite(shop), ...open(product), ...Array.from({ length: 5 }, () => () => null))
  const fields: Fields = [
    ['Title', title],
    ['Comment', price],
  ]
  const isDone = (now: SiteView) =>
    isAt(now, ad) && showsText(title)(now) && wasPressed('Publish the comment')(now)
  return submit(view, [onSite(ads), ...open(ad)], fields, 'Publish the comment', isDone)
}

function postDescription(view: SiteView, group: string, title: string, ad: string): PlannedMove | null {
  const text = seenOnPages(view.situation, (seen) => descriptionOn(seen, ad))
  if (text === null)
    return inStages(view, onSite(ads), ...open(ad), ...Array.from({ length: 6 }, () => () => null))
  if (!view.address.startsWith(forum))
    return inStages(view, onSite(forum), ...Array.from({ length: 6 }, () => () => null))
  return writePost(view, group, title, text)
}

function descriptionOn(view: SiteView, ad: string): string | null {
  const price = view.texts.findIndex((text) => /^\$[\d.,]+$/.test(text))
  return isAt(view, ad) && price >= 0 ? (view.texts[price + 1] ?? null) : null
}
