import { html } from 'hono/html'
import { z } from 'zod'
import { actionButton, choiceField, textArea, textField } from '../server/form-fields.ts'
import { askToLogIn } from '../server/log-in.ts'
import { showPage } from '../server/page-layout.ts'
import { formatDate, formatMoney } from '../server/page-parts.ts'
import { readForm } from '../server/read-form.ts'
import { type Html, type Site, type SiteApp, today, type Visit } from '../server/site.ts'
import { cartTotal, emptyCart, listCart } from './cart-pages.ts'
import { type Customer, type Shipping, shippingCost } from './shop-database.ts'

interface Purchase {
  number: string
  date: string
  status: string
  shipping: Shipping
  shipping_cost: number
  name: string
  street: string
  postcode: string
  city: string
  note: string
}

interface PurchaseLine {
  slug: string
  name: string
  quantity: number
  price: number
}

const shippingChoices = [
  ['standard', 'Standard: $4.90, free from $100'],
  ['express', 'Express: $12.90'],
] as const
const line = (what: string) => z.string().trim().min(1, `Enter the ${what}.`).max(100, 'At most 100 letters.')

export const addressFields = {
  name: line('name'),
  street: line('street'),
  postcode: z
    .string()
    .trim()
    .regex(/^\d{4}$/, 'A postcode has four digits.'),
  city: line('city'),
}
const checkoutSchema = z.object({
  ...addressFields,
  shipping: z.enum(['standard', 'express']),
  note: z.string().trim().max(500, 'At most 500 letters.').default(''),
})

export function addPurchases(site: Site, app: SiteApp): void {
  app.get('/checkout', (visit) => {
    if (visit.get('account') === null) return askToLogIn(visit)
    const { sql } = visit.get('session')
    return showCheckout(site, visit, { ...(sql.get`select * from customer` as unknown as Customer) }, {})
  })

  app.post('/checkout', async (visit) => {
    const session = visit.get('session')
    const { sql } = session
    if (visit.get('account') === null) return askToLogIn(visit)
    const lines = listCart(visit)
    const form = await readForm(visit, checkoutSchema)
    if (form.values === undefined || lines.length === 0)
      return showCheckout(site, visit, form.given, form.problems ?? {})
    const { name, street, postcode, city, shipping, note } = form.values
    const last = sql.get`select max(number) as number from purchase`
    const number = String(Number(last?.number) + 1).padStart(9, '0')
    sql.run`insert into purchase values (${number}, ${today}, 'processing', ${shipping},
      ${shippingCost(shipping, cartTotal(lines))}, ${name}, ${street}, ${postcode}, ${city}, ${note})`
    for (const { id, quantity, price } of lines) {
      sql.run`insert into purchase_line values (${number}, ${id}, ${quantity}, ${price})`
      sql.run`update product set stock = stock - ${quantity} where id = ${id}`
    }
    emptyCart(visit)
    session.notice = `Thank you. Your order has the number ${number}.`
    return visit.redirect(`/account/orders/${number}`, 303)
  })

  app.get('/account/orders', (visit) => {
    if (visit.get('account') === null) return askToLogIn(visit)
    return showPage(site, visit, 'Your orders', purchaseTable(visit))
  })

  app.get('/account/orders/:number', (visit) => {
    if (visit.get('account') === null) return askToLogIn(visit)
    const purchase = findPurchase(visit, visit.req.param('number'))
    if (purchase === undefined) return visit.notFound()
    return showPage(
      site,
      visit,
      `Order ${purchase.number}`,
      purchaseDetails(purchase, linesOf(visit, purchase)),
    )
  })

  app.post('/account/orders/:number/cancel', (visit) => {
    const session = visit.get('session')
    const purchase = findPurchase(visit, visit.req.param('number'))
    if (visit.get('account') === null) return askToLogIn(visit)
    if (purchase === undefined) return visit.notFound()
    const canBe = purchase.status === 'processing'
    if (canBe) session.sql.run`update purchase set status = 'cancelled' where number = ${purchase.number}`
    session.notice = canBe ? 'The order is cancelled.' : 'The order can no longer be cancelled.'
    return visit.redirect(`/account/orders/${purchase.number}`, 303)
  })
}

function findPurchase(visit: Visit, number: string): Purchase | undefined {
  const { sql } = visit.get('session')
  return sql.get`select * from purchase where number = ${number} or ${number} = 'latest'
    order by number desc limit 1` as Purchase | undefined
}

function linesOf(visit: Visit, { number }: Purchase): PurchaseLine[] {
  const { sql } = visit.get('session')
  return sql.all`select slug, product.name, quantity, purchase_line.price from purchase_line
    join product on product.id = product where number = ${number}
    order by purchase_line.rowid` as unknown as PurchaseLine[]
}

const totalOf = (purchase: Purchase, lines: readonly PurchaseLine[]): number =>
  lines.reduce((sum, { price, quantity }) => sum + price * quantity, purchase.shipping_cost)

function showCheckout(
  site: Site,
  visit: Visit,
  given: Record<string, string | undefined>,
  problems: Record<string, string>,
): Promise<Response> {
  const lines = listCart(visit)
  if (lines.length === 0) return showPage(site, visit, 'Checkout', html`<p>Your cart is empty.</p>`)
  const field = (name: string, label: string) => textField({ name, label, value: given[name], problems })
  const content = html`<ul>${lines.map(({ name, quantity }) => html`<li>${quantity} × ${name}</li>`)}</ul>
    <p>Goods: <strong>${formatMoney(cartTotal(lines))}</strong></p>
    <form method="post" action="/checkout" class="stacked">
      <h2>Shipping address</h2>
      ${field('name', 'Name')} ${field('street', 'Street')} ${field('postcode', 'Postcode')} ${field('city', 'City')}
      ${choiceField({ name: 'shipping', label: 'Shipping', value: given.shipping, problems, choices: shippingChoices })}
      ${textArea({ name: 'note', label: 'Note to the shop', value: given.note, problems, isOptional: true })}
      <p>You pay by invoice.</p>
      <button type="submit">Place the order</button>
    </form>`
  return showPage(site, visit, 'Checkout', content, Object.keys(problems).length > 0 ? 422 : 200)
}

function purchaseTable(visit: Visit): Html {
  const { sql } = visit.get('session')
  const purchases = sql.all`select * from purchase order by number desc` as unknown as Purchase[]
  return html`<table>
    <thead><tr><th scope="col">Order</th><th scope="col">Date</th><th scope="col">Status</th><th scope="col">Total</th></tr></thead>
    <tbody>${purchases.map(
      (purchase) => html`<tr>
        <td><a href="/account/orders/${purchase.number}">${purchase.number}</a></td>
        <td>${formatDate(purchase.date)}</td>
        <td>${purchase.status}</td>
        <td>${formatMoney(totalOf(purchase, linesOf(visit, purchase)))}</td>
      </tr>`,
    )}</tbody></table>`
}

function purchaseDetails(purchase: Purchase, lines: readonly PurchaseLine[]): Html {
  const { number, date, status, shipping, shipping_cost, name, street, postcode, city, note } = purchase
  return html`<p>Placed on ${formatDate(date)}. Status: <strong id="status">${status}</strong></p>
    <table id="lines">
      <thead><tr><th scope="col">Product</th><th scope="col">Quantity</th><th scope="col">Price</th></tr></thead>
      <tbody>${lines.map(
        (each) =>
          html`<tr><td><a href="/product/${each.slug}">${each.name}</a></td><td>${each.quantity}</td><td>${formatMoney(each.price)}</td></tr>`,
      )}</tbody>
    </table>
    <p>Shipping: <span id="shipping">${shipping}</span>, ${formatMoney(shipping_cost)}</p>
    <p>Total: <strong id="total">${formatMoney(totalOf(purchase, lines))}</strong></p>
    <h2>Shipping address</h2>
    <address id="address">${name}, ${street}, ${postcode} ${city}</address>
    ${note === '' ? '' : html`<p>Note: <span id="note">${note}</span></p>`}
    ${status === 'processing' ? actionButton(`/account/orders/${number}/cancel`, 'Cancel this order') : ''}`
}
