import { html } from 'hono/html'
import { z } from 'zod'
import { textArea, textField } from '../server/form-fields.ts'
import { askToLogIn } from '../server/log-in.ts'
import { showPage } from '../server/page-layout.ts'
import { formatDate } from '../server/page-parts.ts'
import { readForm } from '../server/read-form.ts'
import type { Site, SiteApp, Visit } from '../server/site.ts'
import { addListingLists, listingGrid } from './listing-lists.ts'
import { addListings } from './listing-page.ts'
import { fillClassifieds, listingPictures, listListings } from './listings-database.ts'
import { addListingForms } from './write-listing.ts'

interface Message {
  listing: number
  title: string
  sender: string
  recipient: string
  date: string
  text: string
}

const profileSchema = z.object({
  telephone: z
    .string()
    .trim()
    .regex(/^[\d +()-]{5,20}$/, 'A telephone number has 5 to 20 digits.'),
  about: z.string().trim().max(500, 'At most 500 letters.').default(''),
})

export const classifieds: Site = {
  name: 'classifieds',
  title: 'Second Round',
  account: { login: 'milo.brandt@secondround.example', password: 'Harbour.17', name: 'Milo Brandt' },
  searchLabel: 'Search ads',
  pictures: listingPictures,
  fill: fillClassifieds,
  links: () => [
    { text: 'All ads', address: '/search?q=' },
    { text: 'Publish an ad', address: '/post' },
    { text: 'My ads', address: '/account/ads' },
    { text: 'Watched ads', address: '/account/watched' },
    { text: 'Messages', address: '/account/messages' },
    { text: 'Account', address: '/account' },
  ],
  addRoutes(app) {
    addListingLists(this, app)
    addListings(this, app)
    addListingForms(this, app)
    addAccount(this, app)
  },
}

function addAccount(site: Site, app: SiteApp): void {
  app.get('/seller/:name', (visit) => {
    const session = visit.get('session')
    const name = visit.req.param('name')
    const seller = session.sql.get`select * from seller where name = ${name}`
    if (seller === undefined) return visit.notFound()
    const listings = listListings(session).filter((listing) => listing.seller === name)
    const content = html`<p>Telephone: <span id="telephone">${String(seller.telephone)}</span></p>
      <p id="about">${String(seller.about)}</p>
      <h2>${listings.length} ads</h2>
      ${listingGrid(listings)}`
    return showPage(site, visit, name, content)
  })

  app.get('/account/:list{ads|watched}', (visit) => {
    const account = visit.get('account')
    if (account === null) return askToLogIn(visit)
    const isOwn = visit.req.param('list') === 'ads'
    const listings = listListings(visit.get('session')).filter(({ seller, watched }) =>
      isOwn ? seller === account : watched === 1,
    )
    return showPage(site, visit, isOwn ? 'My ads' : 'Watched ads', listingGrid(listings))
  })

  app.get('/account/messages', (visit) => {
    const account = visit.get('account')
    if (account === null) return askToLogIn(visit)
    const { sql } = visit.get('session')
    const messages = sql.all`select message.*, title from message join listing on listing.id = listing
      where sender = ${account} or recipient = ${account} order by message.id desc` as unknown as Message[]
    const content = html`<ul class="rows" id="messages">${messages.map(
      ({ listing, title, sender, recipient, date, text }) => html`<li><article>
        <h2>${sender === account ? `To ${recipient}` : `From ${sender}`}, about <a href="/item/${listing}">${title}</a></h2>
        <p class="quiet">${formatDate(date)}</p>
        <p>${text}</p>
      </article></li>`,
    )}</ul>`
    return showPage(site, visit, 'Messages', content)
  })

  app.get('/account', (visit) => {
    const account = visit.get('account')
    if (account === null) return askToLogIn(visit)
    const seller = visit.get('session').sql.get`select * from seller where name = ${account}`
    const given = { telephone: String(seller?.telephone), about: String(seller?.about) }
    return showProfile(site, visit, given, {})
  })
  app.post('/account', async (visit) => {
    const session = visit.get('session')
    const account = visit.get('account')
    if (account === null) return askToLogIn(visit)
    const form = await readForm(visit, profileSchema)
    if (form.values === undefined) return showProfile(site, visit, form.given, form.problems)
    const { telephone, about } = form.values
    session.sql.run`update seller set telephone = ${telephone}, about = ${about} where name = ${account}`
    session.notice = 'Your account is changed.'
    return visit.redirect(`/seller/${encodeURIComponent(account)}`, 303)
  })
}

function showProfile(
  site: Site,
  visit: Visit,
  given: Record<string, string | undefined>,
  problems: Record<string, string>,
): Promise<Response> {
  const content = html`<form method="post" action="/account" class="stacked">
      ${textField({ name: 'telephone', label: 'Telephone', value: given.telephone, problems })}
      ${textArea({ name: 'about', label: 'About you', value: given.about, problems, isOptional: true })}
      <button type="submit">Save</button>
    </form>`
  return showPage(site, visit, 'Your account', content, Object.keys(problems).length > 0 ? 422 : 200)
}
