import { html } from 'hono/html'
import { choiceField, textField } from '../server/form-fields.ts'
import { showPage } from '../server/page-layout.ts'
import {
  formatDate,
  formatMoney,
  holdsWords,
  pageOf,
  queryNumber,
  showPicture,
} from '../server/page-parts.ts'
import type { Html, Site, SiteApp, Visit } from '../server/site.ts'
import { cities, type Listing, listListingCategories, listListings } from './listings-database.ts'

const orders: Readonly<Record<string, (one: Listing, other: Listing) => number>> = {
  new: (one, other) => other.id - one.id,
  old: (one, other) => one.id - other.id,
  price: (one, other) => one.price - other.price,
  'price-descending': (one, other) => other.price - one.price,
}
const orderChoices = [
  ['new', 'Newest'],
  ['old', 'Oldest'],
  ['price', 'Price, lowest first'],
  ['price-descending', 'Price, highest first'],
] as const

export function addListingLists(site: Site, app: SiteApp): void {
  app.get('/', (visit) => {
    const session = visit.get('session')
    const content = html`<h2>Categories</h2>
      <ul>${listListingCategories(session).map(
        ({ slug, name, listings }) => html`<li><a href="/category/${slug}">${name}</a> (${listings})</li>`,
      )}</ul>
      <h2>Newest ads</h2>
      ${listingGrid(listListings(session).slice(0, 8))}`
    return showPage(site, visit, 'Ads near you', content)
  })

  app.get('/category/:slug', (visit) => {
    const session = visit.get('session')
    const category = listListingCategories(session).find(({ slug }) => slug === visit.req.param('slug'))
    if (category === undefined) return visit.notFound()
    const listings = listListings(session).filter((listing) => listing.category === category.slug)
    return showPage(site, visit, category.name, listingList(visit, listings))
  })

  app.get('/search', (visit) => {
    const session = visit.get('session')
    const searched = visit.req.query('q')?.trim() ?? ''
    const category = visit.req.query('category') ?? ''
    const listings = listListings(session).filter(
      (listing) =>
        holdsWords(`${listing.title} ${listing.description}`, searched) &&
        (category === '' || listing.category === category),
    )
    const categories = listListingCategories(session).map(({ slug, name }) => [slug, name] as const)
    const choice = choiceField({
      name: 'category',
      label: 'Category',
      value: category,
      choices: [['', 'Any'], ...categories],
    })
    const title = searched === '' ? 'All ads' : `Ads with "${searched}"`
    return showPage(site, visit, title, listingList(visit, listings, choice))
  })
}

function listingList(visit: Visit, all: readonly Listing[], category: Html | '' = ''): Html {
  const least = queryNumber(visit, 'min')
  const most = queryNumber(visit, 'max')
  const city = visit.req.query('city') ?? ''
  const order = visit.req.query('sort') ?? 'new'
  const chosen = all.filter(
    (listing) =>
      (least === null || listing.price >= least * 100) &&
      (most === null || listing.price <= most * 100) &&
      (city === '' || listing.city === city),
  )
  const page = pageOf(visit, chosen.toSorted(orders[order] ?? orders.new), 12, 'ad')
  const searched = visit.req.query('q')
  return html`<form class="bar" aria-label="Filter and sort">
      ${searched === undefined ? '' : html`<input type="hidden" name="q" value="${searched}">`}
      ${category}
      ${textField({ name: 'min', label: 'Price from ($)', type: 'number', value: least ?? '', min: 0, isOptional: true })}
      ${textField({ name: 'max', label: 'Price to ($)', type: 'number', value: most ?? '', min: 0, isOptional: true })}
      ${choiceField({ name: 'city', label: 'City', value: city, choices: [['', 'Any'], ...cities.map((each) => [each, each] as const)] })}
      ${choiceField({ name: 'sort', label: 'Sort by', value: order, choices: orderChoices })}
      <button type="submit">Apply</button>
    </form>
    <p id="count">${page.summary}</p>
    ${listingGrid(page.rows)}
    ${page.links}`
}

export function listingGrid(listings: readonly Listing[]): Html {
  return html`<ul class="grid">${listings.map(
    ({ id, title, price, city, date, picture }) => html`<li>
      ${picture === null ? '' : html`<a href="/item/${id}">${showPicture(picture, title)}</a>`}
      <h3><a href="/item/${id}">${title}</a></h3>
      <p class="price">${formatMoney(price)}</p>
      <p class="quiet">${city}, ${formatDate(date)}</p>
    </li>`,
  )}</ul>`
}
