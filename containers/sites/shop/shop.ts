import { html } from 'hono/html'
import { z } from 'zod'
import { textField } from '../server/form-fields.ts'
import { askToLogIn } from '../server/log-in.ts'
import { showPage } from '../server/page-layout.ts'
import { readForm } from '../server/read-form.ts'
import type { Site, SiteApp, Visit } from '../server/site.ts'
import { addBrowsing } from './browse-pages.ts'
import { addCart, listCart } from './cart-pages.ts'
import { addProducts } from './product-page.ts'
import { addPurchases, addressFields } from './purchase-pages.ts'
import { type Customer, fillShop, productPictures } from './shop-database.ts'

const accountSchema = z.object({ ...addressFields, email: z.email('Enter an e-mail address.') })

export const shop: Site = {
  name: 'shopping',
  title: 'Larch Lane',
  account: { login: 'nora.field@larchlane.example', password: 'Chestnut.88', name: 'Nora Field' },
  searchLabel: 'Search products',
  pictures: productPictures,
  fill: fillShop,
  links: (visit) => {
    const count = listCart(visit).reduce((sum, { quantity }) => sum + quantity, 0)
    return [
      { text: `Cart (${count})`, address: '/cart' },
      { text: 'Wish list', address: '/wishlist' },
      { text: 'Orders', address: '/account/orders' },
      { text: 'Account', address: '/account' },
    ]
  },
  addRoutes(app) {
    addBrowsing(this, app)
    addProducts(this, app)
    addCart(this, app)
    addPurchases(this, app)
    addAccount(this, app)
  },
}

function addAccount(site: Site, app: SiteApp): void {
  app.get('/account', (visit) => {
    if (visit.get('account') === null) return askToLogIn(visit)
    const { sql } = visit.get('session')
    return showAccount(site, visit, { ...(sql.get`select * from customer` as unknown as Customer) }, {})
  })
  app.post('/account', async (visit) => {
    const session = visit.get('session')
    if (visit.get('account') === null) return askToLogIn(visit)
    const form = await readForm(visit, accountSchema)
    if (form.values === undefined) return showAccount(site, visit, form.given, form.problems)
    const { name, email, street, postcode, city } = form.values
    session.sql.run`update customer set name = ${name}, email = ${email}, street = ${street},
      postcode = ${postcode}, city = ${city}`
    session.notice = 'Your account is changed.'
    return visit.redirect('/account', 303)
  })
}

function showAccount(
  site: Site,
  visit: Visit,
  given: Record<string, string | undefined>,
  problems: Record<string, string>,
): Promise<Response> {
  const field = (name: string, label: string) => textField({ name, label, value: given[name], problems })
  const content = html`<form method="post" action="/account" class="stacked">
      ${field('name', 'Name')} ${field('email', 'E-mail')} ${field('street', 'Street')}
      ${field('postcode', 'Postcode')} ${field('city', 'City')}
      <button type="submit">Save</button>
    </form>`
  return showPage(site, visit, 'Your account', content, Object.keys(problems).length > 0 ? 422 : 200)
}
