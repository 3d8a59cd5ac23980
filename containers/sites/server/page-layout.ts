import { html } from 'hono/html'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { actionButton } from './form-fields.ts'
import type { Html, Site, Visit } from './site.ts'

/**
 * Answers with a whole page: the site's head with search and menu, the notice of the last action, and the content
 * below a heading. No page has a script, or loads files from other hosts.
 */
export async function showPage(
  site: Site,
  visit: Visit,
  title: string,
  content: Html,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  const { session, account } = visit.var
  const { notice } = session
  session.notice = null
  const page = html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} | ${site.title}</title>
  <link rel="stylesheet" href="/site.css">
  <link rel="icon" href="data:,">
</head>
<body class="${site.name}">
  <header>
    <a class="home" href="/">${site.title}</a>
    <form action="/search" role="search">
      <label for="search-text">${site.searchLabel}</label>
      <input id="search-text" type="search" name="q" value="${visit.req.path === '/search' ? (visit.req.query('q') ?? '') : ''}">
      <button type="submit">Search</button>
    </form>
    <nav aria-label="Main">
      ${site.links(visit).map(({ text, address }) => html`<a href="${address}">${text}</a> `)}
      ${account === null ? html`<a href="/login">Log in</a>` : actionButton('/logout', 'Log out')}
    </nav>
  </header>
  <main>
    ${notice === null ? '' : html`<p role="status" class="notice">${notice}</p>`}
    <h1>${title}</h1>
    ${content}
  </main>
  <footer><p>${site.title}: invented goods, people and places.</p></footer>
</body>
</html>
`
  return visit.html(page, status)
}
