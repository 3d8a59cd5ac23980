import { html } from 'hono/html'
import { choiceField, textField } from '../server/form-fields.ts'
import { showPage } from '../server/page-layout.ts'
import { formatMoney, holdsWords, pageOf, queryNumber, showPicture, showStars } from '../server/page-parts.ts'
import type { Html, Site, SiteApp, Visit } from '../server/site.ts'
import { listCategories, listProducts, type Product } from './shop-database.ts'

const orders: Readonly<Record<string, (one: Product, other: Product) => number>> = {
  price: (one, other) => one.price - other.price,
  'price-descending': (one, other) => other.price - one.price,
  rating: (one, other) => (other.rating ?? 0) - (one.rating ?? 0),
  reviews: (one, other) => other.reviews - one.reviews,
  name: (one, other) => (one.name < other.name ? -1 : 1),
}
const orderChoices = [
  ['', 'Recommended'],
  ['price', 'Price, lowest first'],
  ['price-descending', 'Price, highest first'],
  ['rating', 'Rating, best first'],
  ['reviews', 'Number of reviews'],
  ['name', 'Name'],
] as const
const ratingChoices = [
  ['', 'Any'],
  ['4', '4 and more'],
  ['3', '3 and more'],
] as const

export function addBrowsing(site: Site, app: SiteApp): void {
  app.get('/', (visit) => {
    const session = visit.get('session')
    const liked = listProducts(session).filter(({ rating, reviews }) => reviews >= 3 && (rating ?? 0) >= 4)
    const content = html`<h2>Categories</h2>
      <ul>${listCategories(session).map(
        ({ slug, name, text }) => html`<li><a href="/category/${slug}">${name}</a>: ${text}</li>`,
      )}</ul>
      <h2>Well reviewed</h2>
      ${productGrid(liked)}`
    return showPage(site, visit, 'Welcome to Larch Lane', content)
  })

  app.get('/category/:slug', (visit) => {
    const session = visit.get('session')
    const category = listCategories(session).find(({ slug }) => slug === visit.req.param('slug'))
    if (category === undefined) return visit.notFound()
    const products = listProducts(session).filter((product) => product.category === category.slug)
    return showPage(site, visit, category.name, productList(visit, products))
  })

  app.get('/search', (visit) => {
    const searched = visit.req.query('q')?.trim() ?? ''
    const found = listProducts(visit.get('session')).filter(({ name, brand, material, description }) =>
      holdsWords(`${name} ${brand} ${material} ${description}`, searched),
    )
    const named = found.filter(({ name }) => holdsWords(name, searched))
    const others = found.filter((product) => !named.includes(product))
    const title = searched === '' ? 'All products' : `Search results for "${searched}"`
    return showPage(site, visit, title, productList(visit, [...named, ...others]))
  })
}

function productList(visit: Visit, all: readonly Product[]): Html {
  const least = queryNumber(visit, 'min')
  const most = queryNumber(visit, 'max')
  const rating = queryNumber(visit, 'rating')
  const brand = visit.req.query('brand') ?? ''
  const order = visit.req.query('sort') ?? ''
  const chosen = all.filter(
    (product) =>
      (least === null || product.price >= least * 100) &&
      (most === null || product.price <= most * 100) &&
      (rating === null || (product.rating ?? 0) >= rating) &&
      (brand === '' || product.brand === brand),
  )
  const compare = orders[order]
  const page = pageOf(visit, compare === undefined ? chosen : chosen.toSorted(compare), 12, 'product')
  const brands = [...new Set(all.map((product) => product.brand))].toSorted()
  const searched = visit.req.query('q')
  return html`<form class="bar" aria-label="Filter and sort">
      ${searched === undefined ? '' : html`<input type="hidden" name="q" value="${searched}">`}
      ${textField({ name: 'min', label: 'Price from ($)', type: 'number', value: least ?? '', min: 0, isOptional: true })}
      ${textField({ name: 'max', label: 'Price to ($)', type: 'number', value: most ?? '', min: 0, isOptional: true })}
      ${choiceField({ name: 'brand', label: 'Brand', value: brand, choices: [['', 'Any'], ...brands.map((each) => [each, each] as const)] })}
      ${choiceField({ name: 'rating', label: 'Rating', value: rating ?? '', choices: ratingChoices })}
      ${choiceField({ name: 'sort', label: 'Sort by', value: order, choices: orderChoices })}
      <button type="submit">Apply</button>
    </form>
    <p id="count">${page.summary}</p>
    ${productGrid(page.rows)}
    ${page.links}`
}

export function productGrid(products: readonly Product[]): Html {
  return html`<ul class="grid">${products.map(
    ({ slug, name, brand, price, picture, rating, reviews }) => html`<li>
      <a href="/product/${slug}">${showPicture(picture, name)}</a>
      <h3><a href="/product/${slug}">${name}</a></h3>
      <p class="quiet">${brand}</p>
      <p class="price">${formatMoney(price)}</p>
      <p class="quiet">${rating === null ? 'No reviews yet' : html`${showStars(rating)} ${reviews} ${reviews === 1 ? 'review' : 'reviews'}`}</p>
    </li>`,
  )}</ul>`
}
