import { createHash } from 'node:crypto'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { html } from 'hono/html'
import { z } from 'zod'
import { textField } from './form-fields.ts'
import { showPage } from './page-layout.ts'
import { readForm } from './read-form.ts'
import type { Html, Site, SiteApp, SiteName, Visit } from './site.ts'

/** A browser shares cookies across all ports of a host, so each site has its own cookie name. */
export const accountCookie = (site: SiteName): string => `${site}_account`

/**
 * The cookie of a logged-in visitor. It depends only on the account: a stored log-in is valid for every copy of a
 * site, before and after resets.
 */
export function accountToken({ name, account }: Site): string {
  return createHash('sha256').update(`${name}\n${account.login}\n${account.password}`).digest('hex')
}

export function readAccount(site: Site, visit: Visit): string | null {
  return getCookie(visit, accountCookie(site.name)) === accountToken(site) ? site.account.name : null
}

export function askToLogIn(visit: Visit): Response {
  const { pathname, search } = new URL(visit.req.url)
  const back = visit.req.method === 'GET' ? `${pathname}${search}` : '/'
  visit.get('session').notice = 'Please log in first.'
  return visit.redirect(`/login?next=${encodeURIComponent(back)}`, 303)
}

const logInSchema = z.object({ login: z.string().trim().min(1), password: z.string().min(1) })

export function addLogIn(site: Site, app: SiteApp): void {
  app.get('/login', (visit) =>
    showPage(site, visit, 'Log in', logInForm(visit.req.query('next') ?? '/', '', {})),
  )
  app.post('/login', async (visit) => {
    const form = await readForm(visit, logInSchema)
    const next = localAddress(form.given.next)
    const { login, password } = form.values ?? { login: form.given.login ?? '', password: '' }
    if (login !== site.account.login || password !== site.account.password) {
      const problems = form.values === undefined ? form.problems : { login: 'Name or password is wrong.' }
      return showPage(site, visit, 'Log in', logInForm(next, login, problems), 422)
    }
    setCookie(visit, accountCookie(site.name), accountToken(site), { path: '/', sameSite: 'Lax' })
    return visit.redirect(next, 303)
  })
  app.post('/logout', (visit) => {
    deleteCookie(visit, accountCookie(site.name), { path: '/' })
    return visit.redirect('/', 303)
  })
}

function logInForm(next: string, login: string, problems: Record<string, string>): Html {
  return html`<form method="post" action="/login" class="stacked">
    <input type="hidden" name="next" value="${localAddress(next)}">
    ${textField({ name: 'login', label: 'Name or e-mail', value: login, problems })}
    ${textField({ name: 'password', label: 'Password', type: 'password', problems })}
    <button type="submit">Log in</button>
  </form>`
}

function localAddress(address: string | undefined): string {
  return address !== undefined && /^\/(?![/\\])/.test(address) ? address : '/'
}
