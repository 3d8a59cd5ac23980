import { parseHTML } from 'linkedom'
import { createSiteApp, type ServedSite } from '../../../containers/sites/server/create-site-app.ts'
import type { SiteName } from '../../../containers/sites/server/site.ts'
import { allSites } from '../../../containers/sites/server/start-sites.ts'
import { storageStateOf } from '../../../containers/sites/server/storage-states.ts'

/** Where the sites of tests answer, without a socket: one host, as with real ports. */
export const addresses = {
  shopping: 'http://127.0.0.1:1001',
  reddit: 'http://127.0.0.1:1002',
  classifieds: 'http://127.0.0.1:1003',
} as const satisfies Record<SiteName, string>

/** Every site, in this process. The caller closes the sessions. */
export function openSites(): Record<SiteName, ServedSite> {
  return Object.fromEntries(allSites.map((site) => [site.name, createSiteApp(site)])) as Record<
    SiteName,
    ServedSite
  >
}

/** Gives a key a fresh copy of every site. */
export async function resetSites(sites: Record<SiteName, ServedSite>, key: string): Promise<void> {
  for (const { app } of Object.values(sites)) await app.request(`/reset?session=${key}`, { method: 'POST' })
}

/** What is used of a page's elements; the project's types have no browser. */
export interface PageElement {
  tagName: string
  id: string
  textContent: string | null
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  closest(selector: string): PageElement | null
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
}

/** What a person does with a browser: opens addresses, follows links and sends forms, by the names that are on the page. */
export class SiteVisitor {
  readonly #sites: Record<SiteName, ServedSite>
  readonly #cookies = new Map<string, string>()
  #url = new URL(addresses.shopping)
  #status = 0
  #text = ''
  #document: PageElement = parseHTML('').document

  constructor(
    sites: Record<SiteName, ServedSite>,
    { session, isLoggedIn = true }: { session?: string; isLoggedIn?: boolean } = {},
  ) {
    this.#sites = sites
    if (session !== undefined) this.#cookies.set('site_session', session)
    if (isLoggedIn)
      for (const { name, value } of storageStateOf(addresses).cookies) this.#cookies.set(name, value)
  }

  get url(): string {
    return this.#url.href
  }
  get status(): number {
    return this.#status
  }
  get text(): string {
    return this.#text
  }
  get document(): PageElement {
    return this.#document
  }

  /** Opens an address, `__SHOPPING__/cart` or one that the page has, and follows where it leads. */
  async open(address: string, init: RequestInit = {}): Promise<this> {
    this.#url = new URL(fillPlaceholders(address), this.#url)
    const name = (Object.keys(addresses) as SiteName[]).find((each) => addresses[each] === this.#url.origin)
    if (name === undefined) throw new Error(`${this.#url.href} is at none of the sites`)
    const cookie = [...this.#cookies].map((pair) => pair.join('=')).join('; ')
    const { pathname, search } = this.#url
    const answer = await this.#sites[name].app.request(`${pathname}${search}`, {
      ...init,
      headers: { cookie },
    })
    for (const line of answer.headers.getSetCookie()) this.#keepCookie(line)
    const location = answer.headers.get('location')
    if (location !== null) return this.open(location)
    this.#status = answer.status
    this.#text = await answer.text()
    this.#document = parseHTML(this.#text).document
    return this
  }

  /** Follows the link with this name. */
  async follow(name: string): Promise<this> {
    const link = this.#only('a[href]', name)
    return this.open(link.getAttribute('href') ?? '')
  }

  /** Fills fields by their labels and presses the button with this name. */
  async press(button: string, fields: Record<string, string> = {}): Promise<this> {
    const form = this.#only('button', button).closest('form')
    if (form === null) throw new Error(`"${button}" sends no form`)
    const controls = [...form.querySelectorAll('input, textarea, select')]
    const values = new Map(
      controls.map((control) => [control.getAttribute('name') ?? '', givenValue(control)]),
    )
    for (const [label, value] of Object.entries(fields)) {
      const control = controls.find((each) => labelOf(form, each) === label)
      if (control === undefined) throw new Error(`The form of "${button}" has no field "${label}"`)
      values.set(
        control.getAttribute('name') ?? '',
        control.tagName === 'SELECT' ? optionOf(control, value) : value,
      )
    }
    const lacking = controls.filter(
      (each) => each.hasAttribute('required') && !values.get(each.getAttribute('name') ?? ''),
    )
    if (lacking.length > 0)
      throw new Error(`"${button}" needs ${lacking.map((each) => labelOf(form, each)).join(', ')}`)
    const action = form.getAttribute('action') ?? `${this.#url.pathname}`
    const sent = new URLSearchParams([...values])
    if (form.getAttribute('method') === 'post') return this.open(action, { method: 'POST', body: sent })
    return this.open(`${action}?${sent}`)
  }

  #only(selector: string, name: string): PageElement {
    const found = [...this.#document.querySelectorAll(selector)].filter((each) => nameOf(each) === name)
    const [first] = found
    if (first === undefined) throw new Error(`${this.url} has no ${selector} "${name}"`)
    return first
  }

  #keepCookie(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/max-age=0/i.test(line)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

/** `__SHOPPING__` and the like become the sites' addresses. */
export function fillPlaceholders(text: string): string {
  return Object.entries(addresses).reduce(
    (filled, [name, address]) => filled.replaceAll(`__${name.toUpperCase()}__`, address),
    text,
  )
}

const spaced = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ').trim()

/** An element's accessible name, as far as these pages need it. */
const nameOf = (element: PageElement): string =>
  element.getAttribute('aria-label') ??
  (spaced(element.textContent) || (element.querySelector('img')?.getAttribute('alt') ?? ''))

const labelOf = (form: PageElement, control: PageElement): string =>
  control.getAttribute('aria-label') ?? spaced(form.querySelector(`label[for="${control.id}"]`)?.textContent)

function givenValue(control: PageElement): string {
  if (control.tagName === 'TEXTAREA') return control.textContent ?? ''
  if (control.tagName !== 'SELECT') return control.getAttribute('value') ?? ''
  const options = [...control.querySelectorAll('option')]
  const chosen = options.find((option) => option.hasAttribute('selected')) ?? options[0]
  return chosen?.getAttribute('value') ?? ''
}

function optionOf(control: PageElement, text: string): string {
  const option = [...control.querySelectorAll('option')].find((each) => spaced(each.textContent) === text)
  const value = option?.getAttribute('value')
  if (value === null || value === undefined) throw new Error(`There is no "${text}" to choose`)
  return value
}
