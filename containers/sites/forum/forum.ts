import { html } from 'hono/html'
import { z } from 'zod'
import { textArea } from '../server/form-fields.ts'
import { askToLogIn } from '../server/log-in.ts'
import { showPage } from '../server/page-layout.ts'
import { formatDate } from '../server/page-parts.ts'
import { readForm } from '../server/read-form.ts'
import type { Site, SiteApp } from '../server/site.ts'
import {
  fillForum,
  findPost,
  listComments,
  listPosts,
  type Post,
  postAddress,
  postPictures,
} from './forum-database.ts'
import { addPostLists, postRows } from './post-lists.ts'
import { addPosts } from './post-page.ts'
import { addWriting } from './write-pages.ts'

const biographySchema = z.object({ biography: z.string().trim().max(500, 'At most 500 letters.') })

export const forum: Site = {
  name: 'reddit',
  title: 'Commonplace',
  account: { login: 'quietharbor', password: 'Lighthouse.42', name: 'quietharbor' },
  searchLabel: 'Search posts',
  pictures: postPictures,
  fill: fillForum,
  links: (visit) => {
    const account = visit.get('account')
    const own = account === null ? [] : [{ text: account, address: `/user/${account}` }]
    return [{ text: 'Forums', address: '/forums' }, { text: 'Write a post', address: '/submit' }, ...own]
  },
  addRoutes(app) {
    addPostLists(this, app)
    addPosts(this, app)
    addWriting(this, app)
    addPeople(this, app)
  },
}

function addPeople(site: Site, app: SiteApp): void {
  app.get('/user/:name', (visit) => {
    const session = visit.get('session')
    const name = visit.req.param('name')
    const person = session.sql.get`select * from person where name = ${name}`
    if (person === undefined) return visit.notFound()
    const posts = listPosts(session).filter(({ author }) => author === name)
    const comments = listComments(session).filter(({ author }) => author === name)
    const content = html`<p id="biography">${person.biography === '' ? 'No biography yet.' : String(person.biography)}</p>
      ${visit.get('account') === name ? html`<p><a href="/account">Edit biography</a></p>` : ''}
      <h2>${posts.length} ${posts.length === 1 ? 'post' : 'posts'}</h2>
      ${postRows(posts)}
      <h2>${comments.length} ${comments.length === 1 ? 'comment' : 'comments'}</h2>
      <ul class="rows">${comments.map((comment) => {
        const post = findPost(session, String(comment.post)) as Post
        return html`<li><div>
          <p class="quiet">on <a href="${postAddress(post)}">${post.title}</a>, ${formatDate(comment.date)}, ${comment.score} points</p>
          <p>${comment.body}</p>
        </div></li>`
      })}</ul>`
    return showPage(site, visit, name, content)
  })

  app.get('/account', (visit) => {
    const account = visit.get('account')
    if (account === null) return askToLogIn(visit)
    const person = visit.get('session').sql.get`select biography from person where name = ${account}`
    const content = html`<form method="post" action="/account" class="stacked">
        ${textArea({ name: 'biography', label: 'Biography', value: String(person?.biography), isOptional: true })}
        <button type="submit">Save</button>
      </form>`
    return showPage(site, visit, 'Your account', content)
  })
  app.post('/account', async (visit) => {
    const session = visit.get('session')
    const account = visit.get('account')
    if (account === null) return askToLogIn(visit)
    const form = await readForm(visit, biographySchema)
    if (form.values === undefined) {
      session.notice = form.problems.biography ?? null
      return visit.redirect('/account', 303)
    }
    session.sql.run`update person set biography = ${form.values.biography} where name = ${account}`
    session.notice = 'Your biography is changed.'
    return visit.redirect(`/user/${account}`, 303)
  })
}
