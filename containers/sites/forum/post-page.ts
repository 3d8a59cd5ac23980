import { html } from 'hono/html'
import { z } from 'zod'
import { actionButton, textArea } from '../server/form-fields.ts'
import { askToLogIn } from '../server/log-in.ts'
import { showPage } from '../server/page-layout.ts'
import { formatDate, showPicture } from '../server/page-parts.ts'
import { readForm } from '../server/read-form.ts'
import { type Html, type Site, type SiteApp, today, type Visit } from '../server/site.ts'
import {
  type Comment,
  findComment,
  findPost,
  listComments,
  type Post,
  postAddress,
} from './forum-database.ts'
import { voteButtons } from './post-lists.ts'

const commentSchema = z.object({
  body: z.string().trim().min(1, 'Write a few words.').max(5000, 'A comment has at most 5,000 letters.'),
  parent: z.coerce.number().int().positive().optional(),
})
const voteSchema = z.object({ vote: z.coerce.number().int().min(-1).max(1) })

export function addPosts(site: Site, app: SiteApp): void {
  app.get('/f/:forum/:id{\\d+}', (visit) => {
    const post = findPost(visit.get('session'), visit.req.param('id'))
    if (post === undefined) return visit.notFound()
    return showPage(site, visit, post.title, postPage(visit, post))
  })

  app.post('/f/:forum/:id{\\d+}/comments', async (visit) => {
    const session = visit.get('session')
    const account = visit.get('account')
    const post = findPost(session, visit.req.param('id'))
    if (post === undefined) return visit.notFound()
    if (account === null) return askToLogIn(visit)
    const form = await readForm(visit, commentSchema)
    if (form.values === undefined)
      return showPage(site, visit, post.title, postPage(visit, post, form.given.body, form.problems), 422)
    const { body, parent = null } = form.values
    session.sql.run`insert into comment (post, parent, author, date, body, others, vote)
      values (${post.id}, ${parent}, ${account}, ${today}, ${body}, 0, 1)`
    session.notice = 'Your comment is published.'
    return visit.redirect(postAddress(post), 303)
  })

  app.get('/comment/:id{\\d+}/:what{reply|edit}', (visit) => {
    const comment = findComment(visit.get('session'), visit.req.param('id'))
    if (comment === undefined) return visit.notFound()
    if (visit.get('account') === null) return askToLogIn(visit)
    const isEdit = visit.req.param('what') === 'edit'
    const post = findPost(visit.get('session'), String(comment.post)) as Post
    const content = html`<blockquote>${comment.body}</blockquote>
      <form method="post" action="${isEdit ? `/comment/${comment.id}/edit` : `${postAddress(post)}/comments`}" class="stacked">
        ${isEdit ? '' : html`<input type="hidden" name="parent" value="${comment.id}">`}
        ${textArea({ name: 'body', label: isEdit ? 'Comment' : 'Reply', value: isEdit ? comment.body : '' })}
        <button type="submit">${isEdit ? 'Save' : 'Publish the reply'}</button>
      </form>`
    return showPage(site, visit, `${isEdit ? 'Edit' : 'Reply to'} a comment on ${post.title}`, content)
  })

  app.post('/comment/:id{\\d+}/:what{edit|delete}', async (visit) => {
    const session = visit.get('session')
    const comment = findComment(session, visit.req.param('id'))
    if (comment === undefined) return visit.notFound()
    const post = findPost(session, String(comment.post)) as Post
    if (comment.author !== visit.get('account')) return askToLogIn(visit)
    if (visit.req.param('what') === 'delete') {
      session.sql.run`delete from comment where id = ${comment.id}`
      session.notice = 'The comment is deleted.'
    } else {
      const form = await readForm(visit, commentSchema)
      session.notice = form.values === undefined ? (form.problems.body ?? null) : 'The comment is changed.'
      if (form.values !== undefined)
        session.sql.run`update comment set body = ${form.values.body} where id = ${comment.id}`
    }
    return visit.redirect(postAddress(post), 303)
  })

  app.post('/vote/:kind{post|comment}/:id{\\d+}', async (visit) => {
    const session = visit.get('session')
    const id = visit.req.param('id')
    const isPost = visit.req.param('kind') === 'post'
    const known = isPost ? findPost(session, id)?.id : findComment(session, id)?.post
    const form = await readForm(visit, voteSchema)
    if (known === undefined || form.values === undefined) return visit.notFound()
    if (visit.get('account') === null) return askToLogIn(visit)
    if (isPost) session.sql.run`update post set vote = ${form.values.vote} where id = ${id}`
    else session.sql.run`update comment set vote = ${form.values.vote} where id = ${id}`
    return visit.redirect(postAddress(findPost(session, String(known)) as Post), 303)
  })
}

function postPage(visit: Visit, post: Post, given?: string, problems?: Record<string, string>): Html {
  const session = visit.get('session')
  const comments = listComments(session).filter((comment) => comment.post === post.id)
  const isOwn = post.author === visit.get('account')
  return html`<nav aria-label="Breadcrumb"><a href="/forums">Forums</a> › <a href="/f/${post.forum}">${post.forum}</a></nav>
    <article class="card" id="post">
      <p class="quiet">by <a href="/user/${post.author}">${post.author}</a>, ${formatDate(post.date)}</p>
      ${post.picture === null ? '' : showPicture(post.picture, post.title, 320)}
      <p id="body">${post.body}</p>
      ${voteButtons('post', post)}
      ${isOwn ? html`<a href="${postAddress(post)}/edit">Edit</a> ${actionButton(`${postAddress(post)}/delete`, 'Delete', { label: 'Delete this post' })}` : ''}
    </article>
    <h2 id="comments">${comments.length} ${comments.length === 1 ? 'comment' : 'comments'}</h2>
    ${commentTree(visit, comments, null)}
    <h2>Write a comment</h2>
    <form method="post" action="${postAddress(post)}/comments" class="stacked">
      ${textArea({ name: 'body', label: 'Comment', value: given, problems })}
      <button type="submit">Publish the comment</button>
    </form>`
}

function commentTree(visit: Visit, comments: readonly Comment[], parent: number | null): Html | '' {
  const here = comments.filter((comment) => comment.parent === parent)
  if (here.length === 0) return ''
  return html`<ul class="rows ${parent === null ? '' : 'replies'}">${here.map(
    (comment) => html`<li>
      ${voteButtons('comment', comment)}
      <div>
        <p class="quiet"><a href="/user/${comment.author}">${comment.author}</a>, ${formatDate(comment.date)}</p>
        <p class="comment">${comment.body}</p>
        <p><a href="/comment/${comment.id}/reply" aria-label="Reply to ${comment.author}">Reply</a>
        ${
          comment.author === visit.get('account')
            ? html`<a href="/comment/${comment.id}/edit" aria-label="Edit your comment">Edit</a> ${actionButton(`/comment/${comment.id}/delete`, 'Delete', { label: 'Delete your comment' })}`
            : ''
        }</p>
        ${commentTree(visit, comments, comment.id)}
      </div>
    </li>`,
  )}</ul>`
}
