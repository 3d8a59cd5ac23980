import { html } from 'hono/html'
import { actionButton, choiceField } from '../server/form-fields.ts'
import { showPage } from '../server/page-layout.ts'
import { formatDate, holdsWords, pageOf, showPicture } from '../server/page-parts.ts'
import type { Html, Site, SiteApp, Visit } from '../server/site.ts'
import { findForum, listForums, listPosts, type Post, postAddress } from './forum-database.ts'

const orders: Readonly<Record<string, (one: Post, other: Post) => number>> = {
  new: (one, other) => other.id - one.id,
  old: (one, other) => one.id - other.id,
  top: (one, other) => other.score - one.score,
  comments: (one, other) => other.comments - one.comments,
}
const orderChoices = [
  ['new', 'Newest'],
  ['old', 'Oldest'],
  ['top', 'Most votes'],
  ['comments', 'Most comments'],
] as const

export function addPostLists(site: Site, app: SiteApp): void {
  app.get('/', (visit) => {
    const session = visit.get('session')
    const subscribed = listForums(session).filter((forum) => forum.subscribed === 1)
    const isOwn = visit.get('account') !== null && visit.req.query('show') === 'subscribed'
    const posts = listPosts(session).filter(
      ({ forum }) => !isOwn || subscribed.some(({ slug }) => slug === forum),
    )
    const content = html`<p><a href="/">All posts</a> <a href="/?show=subscribed">Subscribed forums</a></p>
      ${postList(visit, posts)}`
    return showPage(site, visit, isOwn ? 'Posts of your forums' : 'All posts', content)
  })

  app.get('/forums', (visit) => {
    const session = visit.get('session')
    const posts = listPosts(session)
    const content = html`<ul class="rows">${listForums(session).map(
      ({ slug, name, text }) => html`<li><div>
        <h2><a href="/f/${slug}">${name}</a></h2>
        <p>${text}</p>
        <p class="quiet">${posts.filter(({ forum }) => forum === slug).length} posts</p>
      </div></li>`,
    )}</ul>`
    return showPage(site, visit, 'Forums', content)
  })

  app.get('/f/:forum', (visit) => {
    const session = visit.get('session')
    const forum = findForum(session, visit.req.param('forum'))
    if (forum === undefined) return visit.notFound()
    const { slug, name, text, subscribed } = forum
    const isSubscribed = subscribed === 1 && visit.get('account') !== null
    const content = html`<p>${text}</p>
      <p><a href="/submit?forum=${slug}">Write a post</a>
      ${actionButton(`/f/${slug}/subscribe`, isSubscribed ? 'Unsubscribe' : 'Subscribe', { label: `${isSubscribed ? 'Unsubscribe from' : 'Subscribe to'} ${name}` })}</p>
      ${postList(
        visit,
        listPosts(session).filter((post) => post.forum === slug),
      )}`
    return showPage(site, visit, name, content)
  })

  app.get('/search', (visit) => {
    const searched = visit.req.query('q')?.trim() ?? ''
    const posts = listPosts(visit.get('session')).filter(({ title, body, author }) =>
      holdsWords(`${title} ${body} ${author}`, searched),
    )
    return showPage(site, visit, `Posts with "${searched}"`, postList(visit, posts))
  })
}

function postList(visit: Visit, posts: readonly Post[]): Html {
  const order = visit.req.query('sort') ?? 'new'
  const compare = orders[order] ?? orders.new
  const page = pageOf(visit, posts.toSorted(compare), 10, 'post')
  const kept = ['q', 'show'].flatMap((name) => {
    const value = visit.req.query(name)
    return value === undefined ? [] : [html`<input type="hidden" name="${name}" value="${value}">`]
  })
  return html`<form class="bar" aria-label="Sort">${kept}
      ${choiceField({ name: 'sort', label: 'Sort by', value: order, choices: orderChoices })}
      <button type="submit">Sort</button>
    </form>
    <p id="count">${page.summary}</p>
    ${postRows(page.rows)}
    ${page.links}`
}

export function postRows(posts: readonly Post[]): Html {
  return html`<ul class="rows">${posts.map(
    (post) => html`<li>
      ${voteButtons('post', post)}
      ${post.picture === null ? '' : html`<a href="${postAddress(post)}">${showPicture(post.picture, post.title, 120)}</a>`}
      <div>
        <h2><a href="${postAddress(post)}">${post.title}</a></h2>
        <p class="quiet">by <a href="/user/${post.author}">${post.author}</a> in <a href="/f/${post.forum}">${post.forum}</a>, ${formatDate(post.date)}</p>
        <p class="quiet"><a href="${postAddress(post)}">${post.comments} ${post.comments === 1 ? 'comment' : 'comments'}</a></p>
      </div>
    </li>`,
  )}</ul>`
}

export function voteButtons(
  kind: 'post' | 'comment',
  {
    id,
    score,
    vote,
    title,
    author,
  }: { id: number; score: number; vote: number; title?: string; author: string },
): Html {
  const what = title ?? `the comment by ${author}`
  const button = (direction: 1 | -1, text: string, label: string) =>
    actionButton(`/vote/${kind}/${id}`, text, {
      label: `${label} ${what}`,
      hidden: { vote: vote === direction ? 0 : direction },
      isPressed: vote === direction,
    })
  return html`<div class="votes">
    ${button(1, '▲', 'Upvote')}
    <span class="score">${score} ${score === 1 ? 'point' : 'points'}</span>
    ${button(-1, '▼', 'Downvote')}
  </div>`
}
