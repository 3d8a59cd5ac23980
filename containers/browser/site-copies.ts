import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { BrowserContext, Cookie } from 'playwright-core'
import { EspalierError } from '../../shared/contracts/errors.ts'
import { type JsonObject, jsonObjectSchema } from '../../shared/contracts/json.ts'
import { postResetHook } from '../../shared/environments/post-reset-hook.ts'
import type { SessionSite, SessionSites } from '../../shared/environments/webarena/session-files.ts'
import type { SiteName } from '../../shared/environments/webarena/site-names.ts'
import { stateNotKept } from './kept-pages.ts'

/** Milliseconds that a site has to give a session its copy, or to take it back. */
const longestCopy = 30_000
/** Characters that a site may answer there, its state included. */
const largestState = 1_000_000

/** The states of a session's copies, by site, as the sites gave them. */
export type SiteStates = Readonly<Partial<Record<SiteName, JsonObject>>>

/** A cookie by which a site knows a session. */
interface CopyCookie {
  url: string
  name: string
  value: string
}

/** The sites of one session as it has them for itself: copies that they keep by a key, or the whole site, reset. */
export class SiteCopies {
  readonly #sites: (readonly [SiteName, SessionSite])[]
  readonly #isAsked: boolean
  /** Null: there are no copies. */
  #key: string | null = null
  /** By host and name. */
  #cookies: ReadonlyMap<string, CopyCookie> = new Map()

  /** @param isAsked Whether the task itself asks for a reset. */
  constructor({ sites }: SessionSites, used: readonly SiteName[], isAsked: boolean) {
    this.#sites = used.flatMap((name) => (sites[name] ? [[name, sites[name]] as const] : []))
    this.#isAsked = isAsked
  }

  /**
   * Puts all of them back to how they are at first.
   *
   * @throws EspalierError `endpoint_failed` where one does not do it
   */
  async reset(): Promise<void> {
    await this.#begin({})
  }

  /** Whether {@link states} reads all that a session may have changed on them. */
  get haveStates(): boolean {
    return this.#sites.every(
      ([, { sharing }]) =>
        sharing.kind === 'read_only' || (sharing.kind === 'sessions' && sharing.state !== undefined),
    )
  }

  /**
   * The states of its copies now, for {@link restore}.
   *
   * @param within milliseconds that a site has to answer
   * @throws EspalierError `endpoint_failed` where a site does not say its state
   */
  async states(within = longestCopy): Promise<SiteStates> {
    const read = async ([name, { address, sharing }]: readonly [SiteName, SessionSite]) => {
      if (sharing.kind !== 'sessions' || sharing.state === undefined) return []
      const url = new URL(address + sharing.state)
      url.searchParams.set('session', this.#key ?? '')
      const { text } = await ask(name, url.href, { within })
      return [[name, readState(name, text)] as const]
    }
    return Object.fromEntries((await Promise.all(this.#sites.map(read))).flat())
  }

  /**
   * Puts its copies where {@link states} were, of this session or of another one. {@link verify} shows whether they are there.
   *
   * @throws EspalierError `endpoint_failed` where a site has it no more
   */
  async restore(states: SiteStates): Promise<void> {
    await this.#begin(states)
  }

  /** @throws EspalierError `state_not_kept` where a copy is in another state than is given; `endpoint_failed` as from {@link states} */
  async verify(states: SiteStates): Promise<void> {
    const now = await this.states()
    const other = this.#sites.find(([name]) => !isDeepStrictEqual(now[name], states[name]))
    if (other === undefined) return
    throw stateNotKept(`The site "${other[0]}" is in another state than its reset was given.`)
  }

  /** Those of a context's cookies that are not the copies' own; null where one of these has changed, since it cannot be given back. */
  withoutOwn(cookies: readonly Cookie[]): Cookie[] | null {
    const values = new Map(cookies.map((cookie) => [cookieKey(cookie), cookie.value]))
    const isChanged = [...this.#cookies].some(([key, { value }]) => values.get(key) !== value)
    return isChanged ? null : cookies.filter((cookie) => !this.#cookies.has(cookieKey(cookie)))
  }

  /** Lets a context show its sites the session that it belongs to. */
  async identify(context: BrowserContext): Promise<void> {
    await context.addCookies([...this.#cookies.values()])
    const headers = this.#sites.flatMap(([, { sharing }]) =>
      sharing.kind === 'sessions' && sharing.header !== undefined ? [[sharing.header, this.#key ?? '']] : [],
    )
    if (headers.length > 0) await context.setExtraHTTPHeaders(Object.fromEntries(headers))
  }

  /** Gives the copies back. One that cannot be is the site's to forget. */
  async close(): Promise<void> {
    const session = this.#key
    this.#key = null
    if (session === null) return
    await Promise.allSettled(
      this.#sites.map(async ([name, { address, sharing }]) => {
        if (sharing.kind !== 'sessions' || sharing.close === undefined) return
        await ask(name, address + sharing.close, { body: { session } })
      }),
    )
  }

  /** Copies by another key, so that nothing that was sent to those before can reach them: a form that is worked on, a reset that is late. */
  async #begin(states: SiteStates): Promise<void> {
    const closed = this.close()
    const session = randomUUID()
    this.#key = session
    this.#cookies = new Map()
    const reset = this.#sites.map(([name, site]) =>
      this.#resetSite(name, site, { session, state: states[name] }),
    )
    const cookies = (await Promise.all(reset)).flat()
    this.#cookies = new Map(
      cookies.map((cookie) => [
        cookieKey({ domain: new URL(cookie.url).hostname, name: cookie.name }),
        cookie,
      ]),
    )
    await closed
  }

  /** @returns the cookies by which the site knows the session */
  async #resetSite(
    name: SiteName,
    { address, sharing }: SessionSite,
    { session, state }: { session: string; state: JsonObject | undefined },
  ): Promise<CopyCookie[]> {
    if (sharing.kind === 'read_only') return []
    if (sharing.kind === 'sessions') {
      const body = { session, ...(state !== undefined && { state }) }
      const { headers } = await ask(name, address + sharing.reset, { body })
      const cookies = headers.getSetCookie().flatMap((written) => {
        const [, key, value] = /^\s*([^=;]+)=([^;]*)/.exec(written) ?? []
        return key === undefined || value === undefined ? [] : [{ url: address, name: key, value }]
      })
      if (cookies.length > 0 || sharing.header !== undefined) return cookies
      throw failed(
        name,
        'answered its reset without a cookie for the session, and no header is set for its key',
      )
    }
    const { when, ...hook } = sharing.reset
    if (when === 'asked' && !this.#isAsked) return []
    const wrong = await postResetHook(hook)
    if (wrong !== null) throw failed(name, wrong)
    return []
  }
}

function cookieKey({ domain, name }: Pick<Cookie, 'domain' | 'name'>): string {
  return `${domain.replace(/^\./, '')} ${name}`
}

/**
 * @param request.body that is posted; without it the address is read
 * @param request.within milliseconds that the site has to answer
 */
async function ask(
  name: SiteName,
  address: string,
  { body, within = longestCopy }: { body?: object; within?: number },
): Promise<{ headers: Headers; text: string }> {
  const json = { 'content-type': 'application/json' }
  const posted = { method: 'POST', headers: json, body: JSON.stringify(body) }
  let response: Response
  let text: string
  try {
    response = await fetch(address, { ...(body && posted), signal: AbortSignal.timeout(within) })
    text = await response.text()
    if (text.length > largestState) throw failed(name, `answered more than ${largestState} characters`)
  } catch (cause) {
    if (EspalierError.isInstance(cause)) throw cause
    // The address is not said: it may hold what only the administrator knows.
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    const wrong = isLate ? `has not answered in ${within / 1000} seconds` : 'is not reached'
    throw failed(name, wrong)
  }
  if (response.ok) return { headers: response.headers, text }
  throw failed(name, `answered its ${body ? 'reset' : 'state'} with ${response.status}`)
}

function readState(name: SiteName, text: string): JsonObject {
  try {
    return jsonObjectSchema.parse(JSON.parse(text))
  } catch {
    throw failed(name, 'answered its state with something that is no JSON object')
  }
}

function failed(name: SiteName, what: string): EspalierError {
  return new EspalierError(
    'endpoint_failed',
    `The site "${name}" ${what}. Check it, and its entry in environments.json.`,
  )
}
