import { html } from 'hono/html'
import { z } from 'zod'
import { choiceField, textArea, textField } from '../server/form-fields.ts'
import { askToLogIn } from '../server/log-in.ts'
import { showPage } from '../server/page-layout.ts'
import { pictureField } from '../server/pictures.ts'
import { readForm } from '../server/read-form.ts'
import { type Site, type SiteApp, today, type Visit } from '../server/site.ts'
import { cities, findListing, listListingCategories } from './listings-database.ts'

const listingSchema = z.object({
  category: z.string().min(1, 'Choose a category.'),
  title: z.string().trim().min(1, 'An ad needs a title.').max(100, 'A title has at most 100 letters.'),
  description: z.string().trim().min(1, 'Describe what you sell.').max(5000, 'At most 5,000 letters.'),
  price: z
    .string()
    .trim()
    .regex(/^\d{1,7}(\.\d{1,2})?$/, 'A price is a number of dollars, such as 25 or 12.50.')
    .transform((dollars) => Math.round(Number(dollars) * 100)),
  city: z.string().refine((city) => cities.includes(city), 'Choose a city.'),
  picture: pictureField,
})

export function addListingForms(site: Site, app: SiteApp): void {
  app.get('/post', (visit) =>
    visit.get('account') === null ? askToLogIn(visit) : showForm(site, visit, '/post', {}, {}),
  )

  app.post('/post', async (visit) => {
    const session = visit.get('session')
    const account = visit.get('account')
    if (account === null) return askToLogIn(visit)
    const form = await readListing(visit)
    if (form.values === undefined) return showForm(site, visit, '/post', form.given, form.problems)
    const { category, title, description, price, city, picture } = form.values
    const { lastInsertRowid } = session.sql.run`insert into listing
      (category, title, price, city, seller, date, picture, description, watched)
      values (${category}, ${title}, ${price}, ${city}, ${account}, ${today}, ${picture}, ${description}, 0)`
    session.notice = 'Your ad is published.'
    return visit.redirect(`/item/${lastInsertRowid}`, 303)
  })

  app.get('/item/:id{\\d+}/edit', (visit) => {
    const listing = findListing(visit.get('session'), visit.req.param('id'))
    if (listing === undefined) return visit.notFound()
    if (listing.seller !== visit.get('account')) return askToLogIn(visit)
    const { id, price, picture, ...texts } = listing
    const address = picture === null ? '' : `/pictures/${picture}`
    const { category, title, description, city } = texts
    const given = { category, title, description, city, price: (price / 100).toFixed(2), picture: address }
    return showForm(site, visit, `/item/${id}/edit`, given, {})
  })

  app.post('/item/:id{\\d+}/:what{edit|delete}', async (visit) => {
    const session = visit.get('session')
    const listing = findListing(session, visit.req.param('id'))
    if (listing === undefined) return visit.notFound()
    if (listing.seller !== visit.get('account')) return askToLogIn(visit)
    if (visit.req.param('what') === 'delete') {
      session.sql.run`delete from listing where id = ${listing.id}`
      session.notice = 'The ad is deleted.'
      return visit.redirect('/account/ads', 303)
    }
    const form = await readListing(visit)
    const address = `/item/${listing.id}`
    if (form.values === undefined) return showForm(site, visit, `${address}/edit`, form.given, form.problems)
    const { category, title, description, price, city, picture } = form.values
    session.sql.run`update listing set category = ${category}, title = ${title}, description = ${description},
      price = ${price}, city = ${city}, picture = ${picture} where id = ${listing.id}`
    session.notice = 'The ad is changed.'
    return visit.redirect(address, 303)
  })
}

async function readListing(visit: Visit) {
  const form = await readForm(visit, listingSchema)
  const known = listListingCategories(visit.get('session')).some(({ slug }) => slug === form.given.category)
  return known ? form : { given: form.given, problems: { ...form.problems, category: 'Choose a category.' } }
}

function showForm(
  site: Site,
  visit: Visit,
  action: string,
  given: Record<string, string | undefined>,
  problems: Record<string, string>,
): Promise<Response> {
  const categories = listListingCategories(visit.get('session')).map(
    ({ slug, name }) => [slug, name] as const,
  )
  const isNew = action === '/post'
  const content = html`<form method="post" action="${action}" class="stacked">
      ${choiceField({ name: 'category', label: 'Category', value: given.category, problems, choices: [['', 'Choose a category'], ...categories] })}
      ${textField({ name: 'title', label: 'Title', value: given.title, problems })}
      ${textArea({ name: 'description', label: 'Description', value: given.description, problems })}
      ${textField({ name: 'price', label: 'Price ($)', value: given.price, problems })}
      ${choiceField({ name: 'city', label: 'City', value: given.city, problems, choices: cities.map((city) => [city, city] as const) })}
      ${textField({ name: 'picture', label: 'Address of a picture', value: given.picture, problems, isOptional: true })}
      <button type="submit">${isNew ? 'Publish the ad' : 'Save'}</button>
    </form>`
  const status = Object.keys(problems).length > 0 ? 422 : 200
  return showPage(site, visit, isNew ? 'Publish an ad' : 'Edit an ad', content, status)
}
