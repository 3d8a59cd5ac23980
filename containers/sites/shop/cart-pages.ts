import { html } from 'hono/html'
import { z } from 'zod'
import { actionButton } from '../server/form-fields.ts'
import { askToLogIn } from '../server/log-in.ts'
import { showPage } from '../server/page-layout.ts'
import { formatMoney, showPicture } from '../server/page-parts.ts'
import { readForm } from '../server/read-form.ts'
import type { Html, Site, SiteApp, Visit } from '../server/site.ts'
import { productGrid } from './browse-pages.ts'
import { findProduct, type Product } from './shop-database.ts'

export interface CartLine {
  id: number
  slug: string
  name: string
  price: number
  picture: string
  stock: number
  quantity: number
}

const ownerOf = (visit: Visit): string => visit.get('account') ?? ''

export function listCart(visit: Visit): CartLine[] {
  const { sql } = visit.get('session')
  return sql.all`select product.*, quantity from cart_line join product on product.id = product
    where owner = ${ownerOf(visit)} order by cart_line.rowid` as unknown as CartLine[]
}

export function emptyCart(visit: Visit): void {
  visit.get('session').sql.run`delete from cart_line where owner = ${ownerOf(visit)}`
}

export const cartTotal = (lines: readonly CartLine[]): number =>
  lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0)

const lineSchema = z.object({
  product: z.string(),
  quantity: z.coerce.number().int().min(0).max(999).default(1),
})

export function addCart(site: Site, app: SiteApp): void {
  app.get('/cart', (visit) => {
    const lines = listCart(visit)
    return showPage(
      site,
      visit,
      'Your cart',
      lines.length === 0 ? html`<p>Your cart is empty.</p>` : cartTable(lines),
    )
  })

  app.post('/cart/add', (visit) =>
    changeLine(visit, (product, quantity, before) => ({
      quantity: before + quantity,
      notice: `${product.name} is in your cart.`,
    })),
  )
  app.post('/cart/update', (visit) =>
    changeLine(visit, (product, quantity) => ({
      quantity,
      notice:
        quantity === 0
          ? `${product.name} is out of your cart.`
          : `The quantity of ${product.name} is ${quantity}.`,
    })),
  )

  app.get('/wishlist', (visit) => {
    if (visit.get('account') === null) return askToLogIn(visit)
    const { sql } = visit.get('session')
    const wishes =
      sql.all`select rated_product.* from wish join rated_product on rated_product.id = wish.product
      order by wish.id` as unknown as Product[]
    const content = html`<p id="count">${wishes.length} ${wishes.length === 1 ? 'product' : 'products'}</p>
      ${productGrid(wishes)}
      ${wishes.map(({ slug, name }) =>
        actionButton('/wishlist/remove', `Remove ${name}`, { hidden: { product: slug } }),
      )}`
    return showPage(site, visit, 'Your wish list', content)
  })
  app.post('/wishlist/:change{add|remove}', async (visit) => {
    const session = visit.get('session')
    if (visit.get('account') === null) return askToLogIn(visit)
    const form = await readForm(visit, lineSchema)
    const product = form.values && findProduct(session, form.values.product)
    if (product === undefined) return visit.notFound()
    const isAdded = visit.req.param('change') === 'add'
    if (isAdded) session.sql.run`insert or ignore into wish (product) values (${product.id})`
    else session.sql.run`delete from wish where product = ${product.id}`
    session.notice = `${product.name} is ${isAdded ? 'on' : 'off'} your wish list.`
    return visit.redirect('/wishlist', 303)
  })
}

async function changeLine(
  visit: Visit,
  change: (product: Product, quantity: number, before: number) => { quantity: number; notice: string },
): Promise<Response> {
  const session = visit.get('session')
  const form = await readForm(visit, lineSchema)
  const product = form.values && findProduct(session, form.values.product)
  if (form.values === undefined || product === undefined) {
    session.notice = 'The quantity is a whole number.'
    return visit.redirect('/cart', 303)
  }
  const owner = ownerOf(visit)
  const line = session.sql
    .get`select quantity from cart_line where owner = ${owner} and product = ${product.id}`
  const { quantity, notice } = change(product, form.values.quantity, Number(line?.quantity ?? 0))
  if (quantity > product.stock) session.notice = `There are only ${product.stock} of ${product.name}.`
  else {
    session.notice = notice
    if (quantity === 0)
      session.sql.run`delete from cart_line where owner = ${owner} and product = ${product.id}`
    else {
      session.sql.run`insert into cart_line values (${owner}, ${product.id}, ${quantity})
        on conflict do update set quantity = ${quantity}`
    }
  }
  return visit.redirect('/cart', 303)
}

function cartTable(lines: readonly CartLine[]): Html {
  return html`<table id="cart">
      <thead><tr><th scope="col">Product</th><th scope="col">Price</th><th scope="col">Quantity</th><th scope="col">Sum</th><th scope="col">Remove</th></tr></thead>
      <tbody>${lines.map(
        ({ slug, name, price, picture, quantity, stock }) => html`<tr>
          <td>${showPicture(picture, name, 60)} <a href="/product/${slug}">${name}</a></td>
          <td>${formatMoney(price)}</td>
          <td><form method="post" action="/cart/update" class="inline">
            <input type="hidden" name="product" value="${slug}">
            <input type="number" name="quantity" value="${quantity}" min="0" max="${stock}" aria-label="Quantity of ${name}">
            <button type="submit" aria-label="Update the quantity of ${name}">Update</button>
          </form></td>
          <td>${formatMoney(price * quantity)}</td>
          <td>${actionButton('/cart/update', 'Remove', { label: `Remove ${name}`, hidden: { product: slug, quantity: 0 } })}</td>
        </tr>`,
      )}</tbody>
    </table>
    <p>Total: <strong id="total">${formatMoney(cartTotal(lines))}</strong></p>
    <p><a href="/checkout">Go to checkout</a></p>`
}
