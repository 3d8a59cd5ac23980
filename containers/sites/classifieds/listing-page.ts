import { html } from 'hono/html'
import { z } from 'zod'
import { actionButton, textArea, textField } from '../server/form-fields.ts'
import { askToLogIn } from '../server/log-in.ts'
import { showPage } from '../server/page-layout.ts'
import { formatDate, formatMoney, showPicture } from '../server/page-parts.ts'
import { readForm } from '../server/read-form.ts'
import { type Html, type Site, type SiteApp, today, type Visit } from '../server/site.ts'
import { findListing, type Listing, listListingCategories } from './listings-database.ts'

interface ListingComment {
  id: number
  author: string
  date: string
  title: string
  text: string
}

const text = z.string().trim().min(1, 'Write a few words.').max(2000, 'At most 2,000 letters.')
const commentSchema = z.object({
  title: z.string().trim().min(1, 'Give the comment a title.').max(100, 'At most 100 letters.'),
  text,
})
const messageSchema = z.object({ message: text })

interface Refused {
  given: Record<string, string | undefined>
  problems: Record<string, string>
}

export function addListings(site: Site, app: SiteApp): void {
  app.get('/item/:id{\\d+}', (visit) => {
    const listing = findListing(visit.get('session'), visit.req.param('id'))
    if (listing === undefined) return visit.notFound()
    return showPage(site, visit, listing.title, listingPage(visit, listing, { given: {}, problems: {} }))
  })

  app.post('/item/:id{\\d+}/comments', async (visit) => {
    const session = visit.get('session')
    const account = visit.get('account')
    const listing = findListing(session, visit.req.param('id'))
    if (listing === undefined) return visit.notFound()
    if (account === null) return askToLogIn(visit)
    const form = await readForm(visit, commentSchema)
    if (form.values === undefined)
      return showPage(site, visit, listing.title, listingPage(visit, listing, form), 422)
    session.sql.run`insert into comment (listing, author, date, title, text)
      values (${listing.id}, ${account}, ${today}, ${form.values.title}, ${form.values.text})`
    session.notice = 'Your comment is published.'
    return visit.redirect(`/item/${listing.id}`, 303)
  })

  app.post('/item/:id{\\d+}/messages', async (visit) => {
    const session = visit.get('session')
    const account = visit.get('account')
    const listing = findListing(session, visit.req.param('id'))
    if (listing === undefined) return visit.notFound()
    if (account === null) return askToLogIn(visit)
    const form = await readForm(visit, messageSchema)
    if (form.values === undefined)
      return showPage(site, visit, listing.title, listingPage(visit, listing, form), 422)
    session.sql.run`insert into message (listing, sender, recipient, date, text)
      values (${listing.id}, ${account}, ${listing.seller}, ${today}, ${form.values.message})`
    session.notice = `Your message is sent to ${listing.seller}.`
    return visit.redirect(`/item/${listing.id}`, 303)
  })

  app.post('/item/:id{\\d+}/watch', (visit) => {
    const session = visit.get('session')
    const listing = findListing(session, visit.req.param('id'))
    if (listing === undefined) return visit.notFound()
    if (visit.get('account') === null) return askToLogIn(visit)
    session.sql.run`update listing set watched = 1 - watched where id = ${listing.id}`
    session.notice = listing.watched === 1 ? 'The ad is no longer watched.' : 'The ad is watched.'
    return visit.redirect(`/item/${listing.id}`, 303)
  })
}

function listingPage(visit: Visit, listing: Listing, { given, problems }: Refused): Html {
  const session = visit.get('session')
  const account = visit.get('account')
  const { id, category, title, price, city, seller, date, picture, description, watched } = listing
  const named = listListingCategories(session).find(({ slug }) => slug === category)
  const isWatched = account !== null && watched === 1
  const own = html`<p><a href="/item/${id}/edit">Edit this ad</a>
    ${actionButton(`/item/${id}/delete`, 'Delete this ad')}</p>`
  return html`<nav aria-label="Breadcrumb"><a href="/">Home</a> › <a href="/category/${category}">${named?.name}</a></nav>
    <div class="columns">
      ${picture === null ? '' : showPicture(picture, title, 320)}
      <div>
        <p class="price" id="price">${formatMoney(price)}</p>
        <p id="description">${description}</p>
        <table>
          <tr><th scope="row">Seller</th><td id="seller"><a href="/seller/${encodeURIComponent(seller)}">${seller}</a></td></tr>
          <tr><th scope="row">City</th><td id="city">${city}</td></tr>
          <tr><th scope="row">Published</th><td>${formatDate(date)}</td></tr>
        </table>
        ${actionButton(`/item/${id}/watch`, isWatched ? 'Stop watching' : 'Watch this ad', { isPressed: isWatched })}
        ${seller === account ? own : ''}
      </div>
    </div>
    <h2>Comments</h2>
    ${commentList(visit, id)}
    <div class="columns">
      <form method="post" action="/item/${id}/comments" class="stacked">
        <h2>Leave a comment</h2>
        ${textField({ name: 'title', label: 'Title', value: given.title, problems })}
        ${textArea({ name: 'text', label: 'Comment', value: given.text, problems })}
        <button type="submit">Publish the comment</button>
      </form>
      <form method="post" action="/item/${id}/messages" class="stacked">
        <h2>Write to the seller</h2>
        ${textArea({ name: 'message', label: 'Message', value: given.message, problems })}
        <button type="submit">Send the message</button>
      </form>
    </div>`
}

function commentList(visit: Visit, listing: number): Html {
  const { sql } = visit.get('session')
  const comments =
    sql.all`select * from comment where listing = ${listing} order by id` as unknown as ListingComment[]
  if (comments.length === 0) return html`<p>No comments yet.</p>`
  return html`<ul class="rows" id="comments">${comments.map(
    (comment) => html`<li><article>
      <h3>${comment.title}</h3>
      <p class="quiet">by ${comment.author}, ${formatDate(comment.date)}</p>
      <p>${comment.text}</p>
    </article></li>`,
  )}</ul>`
}
