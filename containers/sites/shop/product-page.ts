import { html } from 'hono/html'
import { z } from 'zod'
import { actionButton, choiceField, textArea, textField } from '../server/form-fields.ts'
import { askToLogIn } from '../server/log-in.ts'
import { showPage } from '../server/page-layout.ts'
import { formatDate, formatMoney, showPicture, showStars } from '../server/page-parts.ts'
import { readForm } from '../server/read-form.ts'
import { type Html, type Site, type SiteApp, today, type Visit } from '../server/site.ts'
import { findProduct, listCategories, type Product } from './shop-database.ts'

interface Review {
  id: number
  author: string
  rating: number
  date: string
  title: string
  text: string
}

const reviewSchema = z.object({
  rating: z.coerce.number().int().min(1, 'Choose 1 to 5 stars.').max(5, 'Choose 1 to 5 stars.'),
  title: z.string().trim().min(1, 'Give the review a title.').max(100, 'A title has at most 100 letters.'),
  text: z.string().trim().min(1, 'Write a few words.').max(2000, 'A review has at most 2,000 letters.'),
})
const starChoices = [
  ['5', '5 stars'],
  ['4', '4 stars'],
  ['3', '3 stars'],
  ['2', '2 stars'],
  ['1', '1 star'],
] as const

interface ReviewForm {
  given: Record<string, string | undefined>
  problems: Record<string, string>
}

export function addProducts(site: Site, app: SiteApp): void {
  app.get('/product/:slug', (visit) => {
    const product = findProduct(visit.get('session'), visit.req.param('slug'))
    if (product === undefined) return visit.notFound()
    return showPage(site, visit, product.name, productPage(visit, product, { given: {}, problems: {} }))
  })

  app.post('/product/:slug/reviews', async (visit) => {
    const session = visit.get('session')
    const account = visit.get('account')
    const product = findProduct(session, visit.req.param('slug'))
    if (product === undefined) return visit.notFound()
    if (account === null) return askToLogIn(visit)
    const form = await readForm(visit, reviewSchema)
    if (form.values === undefined)
      return showPage(site, visit, product.name, productPage(visit, product, form), 422)
    const { rating, title, text } = form.values
    session.sql.run`insert into review (product, author, rating, date, title, text)
      values (${product.id}, ${account}, ${rating}, ${today}, ${title}, ${text})`
    session.notice = 'Thank you. Your review is published.'
    return visit.redirect(`/product/${product.slug}`, 303)
  })
}

function productPage(visit: Visit, product: Product, form: ReviewForm): Html {
  const session = visit.get('session')
  const { id, slug, name, brand, price, stock, picture, material, weight, description, rating } = product
  const category = listCategories(session).find((each) => each.slug === product.category)
  const reviews = session.sql
    .all`select * from review where product = ${id} order by id desc` as unknown as Review[]
  return html`<nav aria-label="Breadcrumb"><a href="/">Home</a> › <a href="/category/${product.category}">${category?.name}</a></nav>
    <div class="columns">
      ${showPicture(picture, name, 320)}
      <div>
        <p class="price" id="price">${formatMoney(price)}</p>
        <p class="quiet">${rating === null ? 'No reviews yet' : html`${showStars(rating)} ${rating} of 5 from ${reviews.length} ${reviews.length === 1 ? 'review' : 'reviews'}`}</p>
        <p>${description}</p>
        <table>
          <tr><th scope="row">Brand</th><td>${brand}</td></tr>
          <tr><th scope="row">Material</th><td>${material}</td></tr>
          <tr><th scope="row">Weight</th><td>${weight} g</td></tr>
          <tr><th scope="row">In stock</th><td>${stock}</td></tr>
        </table>
        <form method="post" action="/cart/add">
          <input type="hidden" name="product" value="${slug}">
          ${textField({ name: 'quantity', label: 'Quantity', type: 'number', value: 1, min: 1, max: stock })}
          <button type="submit">Add to cart</button>
        </form>
        ${actionButton('/wishlist/add', 'Add to wish list', { hidden: { product: slug } })}
      </div>
    </div>
    <h2 id="reviews">Reviews</h2>
    <ul class="rows">${reviews.map(
      (review) => html`<li><article class="review">
        <h3>${review.title}</h3>
        <p class="quiet">${showStars(review.rating)} by <span class="author">${review.author}</span>, ${formatDate(review.date)}</p>
        <p>${review.text}</p>
      </article></li>`,
    )}</ul>
    <h2>Write a review</h2>
    <form method="post" action="/product/${slug}/reviews" class="stacked">
      ${choiceField({ name: 'rating', label: 'Your rating', value: form.given.rating, problems: form.problems, choices: starChoices })}
      ${textField({ name: 'title', label: 'Title of the review', value: form.given.title, problems: form.problems })}
      ${textArea({ name: 'text', label: 'Review', value: form.given.text, problems: form.problems })}
      <button type="submit">Publish the review</button>
    </form>`
}
