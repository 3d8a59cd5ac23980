import { html } from 'hono/html'
import { z } from 'zod'
import { choiceField, textArea, textField } from '../server/form-fields.ts'
import { askToLogIn } from '../server/log-in.ts'
import { showPage } from '../server/page-layout.ts'
import { pictureField } from '../server/pictures.ts'
import { readForm } from '../server/read-form.ts'
import { type Site, type SiteApp, today, type Visit } from '../server/site.ts'
import { findForum, findPost, listForums, postAddress } from './forum-database.ts'

const postSchema = z.object({
  title: z.string().trim().min(1, 'A post needs a title.').max(200, 'A title has at most 200 letters.'),
  body: z.string().trim().max(10_000, 'A post has at most 10,000 letters.'),
  picture: pictureField,
})

export function addWriting(site: Site, app: SiteApp): void {
  app.get('/submit', (visit) => {
    if (visit.get('account') === null) return askToLogIn(visit)
    return showForm(site, visit, { forum: visit.req.query('forum') }, {})
  })

  app.post('/submit', async (visit) => {
    const session = visit.get('session')
    const account = visit.get('account')
    if (account === null) return askToLogIn(visit)
    const form = await readForm(visit, postSchema)
    const forum = findForum(session, form.given.forum ?? '')
    if (form.values === undefined || forum === undefined) {
      const problems = { ...form.problems, ...(forum === undefined && { forum: 'Choose a forum.' }) }
      return showForm(site, visit, form.given, problems)
    }
    const { title, body, picture } = form.values
    const { lastInsertRowid } = session.sql
      .run`insert into post (forum, author, date, title, body, picture, others, vote)
      values (${forum.slug}, ${account}, ${today}, ${title}, ${body}, ${picture}, 0, 1)`
    session.notice = 'Your post is published.'
    return visit.redirect(postAddress({ forum: forum.slug, id: Number(lastInsertRowid) }), 303)
  })

  app.get('/f/:forum/:id{\\d+}/edit', (visit) => {
    const post = findPost(visit.get('session'), visit.req.param('id'))
    if (post === undefined) return visit.notFound()
    if (post.author !== visit.get('account')) return askToLogIn(visit)
    const { title, body, picture } = post
    const address = picture === null ? '' : `/pictures/${picture}`
    return showForm(site, visit, { title, body, picture: address }, {}, postAddress(post))
  })

  app.post('/f/:forum/:id{\\d+}/:what{edit|delete}', async (visit) => {
    const session = visit.get('session')
    const post = findPost(session, visit.req.param('id'))
    if (post === undefined) return visit.notFound()
    if (post.author !== visit.get('account')) return askToLogIn(visit)
    if (visit.req.param('what') === 'delete') {
      session.sql.run`delete from post where id = ${post.id}`
      session.notice = 'The post is deleted.'
      return visit.redirect(`/f/${post.forum}`, 303)
    }
    const form = await readForm(visit, postSchema)
    if (form.values === undefined) return showForm(site, visit, form.given, form.problems, postAddress(post))
    const { title, body, picture } = form.values
    session.sql
      .run`update post set title = ${title}, body = ${body}, picture = ${picture} where id = ${post.id}`
    session.notice = 'The post is changed.'
    return visit.redirect(postAddress(post), 303)
  })

  app.post('/f/:forum/subscribe', (visit) => {
    const session = visit.get('session')
    const forum = findForum(session, visit.req.param('forum'))
    if (forum === undefined) return visit.notFound()
    if (visit.get('account') === null) return askToLogIn(visit)
    session.sql.run`update forum set subscribed = 1 - subscribed where slug = ${forum.slug}`
    session.notice = `You are ${forum.subscribed === 1 ? 'no longer' : 'now'} subscribed to ${forum.name}.`
    return visit.redirect(`/f/${forum.slug}`, 303)
  })
}

function showForm(
  site: Site,
  visit: Visit,
  given: Record<string, string | undefined>,
  problems: Record<string, string>,
  edited?: string,
): Promise<Response> {
  const forums = listForums(visit.get('session')).map(({ slug, name }) => [slug, name] as const)
  const forum = choiceField({
    name: 'forum',
    label: 'Forum',
    value: given.forum,
    problems,
    choices: [['', 'Choose a forum'], ...forums],
  })
  const content = html`<form method="post" action="${edited === undefined ? '/submit' : `${edited}/edit`}" class="stacked">
      ${edited === undefined ? forum : ''}
      ${textField({ name: 'title', label: 'Title', value: given.title, problems })}
      ${textArea({ name: 'body', label: 'Text', value: given.body, problems, isOptional: true })}
      ${textField({ name: 'picture', label: 'Address of a picture', value: given.picture, problems, isOptional: true })}
      <button type="submit">${edited === undefined ? 'Publish the post' : 'Save'}</button>
    </form>`
  const title = edited === undefined ? 'Write a post' : 'Edit a post'
  return showPage(site, visit, title, content, Object.keys(problems).length > 0 ? 422 : 200)
}
