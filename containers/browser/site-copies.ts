import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { BrowserContext, Cookie } from 'playwright-core'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { type JsonObject, jsonObjectSchema } from '../../shared/core/contracts/json.ts'
import { postResetHook } from '../../shared/environments/post-reset-hook.ts'
import { longestSiteReset } from '../../shared/environments/reset-hook.ts'
import type { SessionSite, SessionSites } from '../../shared/environments/webarena/session-files.ts'
import type { SiteName } from '../../shared/environments/webarena/site-names.ts'
import { stateNotKept } from './kept-pages.ts'

const longestCopyMilliseconds = 30_000
const largestState = 1_000_000

export type SiteStates = Readonly<Partial<Record<SiteName, JsonObject>>>

interface CopyCookie {
  url: string
  name: string
  value: string
}

export class SiteCopies {
  readonly #sites: (readonly [SiteName, SessionSite])[]
  readonly #isAsked: boolean
  #key: string | null = null
  #cookies: ReadonlyMap<string, CopyCookie> = new Map()

  constructor({ sites }: SessionSites, used: readonly SiteName[], isAsked: boolean) {
    this.#sites = used.flatMap((name) => (sites[name] ? [[name, sites[name]] as const] : []))
    this.#isAsked = isAsked
  }

  /**
   * Resets all sites to their initial state.
   * @throws EspalierError `endpoint_failed` if one fails; `environment_failed` if one is late
   */
  async reset(): Promise<void> {
    await this.#begin({})
  }

  get haveStates(): boolean {
    return this.#sites.every(
      ([, { sharing }]) =>
        sharing.kind === 'read_only' || (sharing.kind === 'sessions' && sharing.state !== undefined),
    )
  }

  /**
   * The current states of its copies, for {@link restore}.
   * @param within milliseconds for a site to answer
   * @throws EspalierError `endpoint_failed` if a site does not return its state
   */
  async states(within = longestCopyMilliseconds): Promise<SiteStates> {
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
   * Restores its copies to {@link states} of this session or another. {@link verify} checks the result.
   * @throws EspalierError `endpoint_failed` if a site no longer has the state
   */
  async restore(states: SiteStates): Promise<void> {
    await this.#begin(states)
  }

  /**
   * @throws EspalierError `state_not_kept` if a copy has a different state; `endpoint_failed` as from {@link states}
   */
  async verify(states: SiteStates): Promise<void> {
    const now = await this.states()
    const other = this.#sites.find(([name]) => !isDeepStrictEqual(now[name], states[name]))
    if (other === undefined) return
    throw stateNotKept(`The site "${other[0]}" is in another state than its reset was given.`)
  }

  /**
   * A context's cookies except the copies' own. Null if one of the copies' cookies has changed, since it cannot be
   * restored.
   */
  withoutOwn(cookies: readonly Cookie[]): Cookie[] | null {
    const values = new Map(cookies.map((cookie) => [cookieKey(cookie), cookie.value]))
    const isChanged = [...this.#cookies].some(([key, { value }]) => values.get(key) !== value)
    return isChanged ? null : cookies.filter((cookie) => !this.#cookies.has(cookieKey(cookie)))
  }

  async identify(context: BrowserContext): Promise<void> {
    await context.addCookies([...this.#cookies.values()])
    const headers = this.#sites.flatMap(([, { sharing }]) =>
      sharing.kind === 'sessions' && sharing.header !== undefined ? [[sharing.header, this.#key ?? '']] : [],
    )
    if (headers.length > 0) await context.setExtraHTTPHeaders(Object.fromEntries(headers))
  }

  /** Closes the copies. A site must forget a copy that cannot be closed. */
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

  /**
   * Uses a new key, so that late requests for the earlier copies cannot reach the new ones, for example a form in
   * progress or a late reset.
   */
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
    const failure = await postResetHook(hook)
    if (failure === null) return []
    if (!failure.isLate) throw failed(name, failure.wrong)
    // Final, unlike other failures of a site: each retry would reset it for as long again.
    throw new EspalierError(
      'environment_failed',
      `The site "${name}" ${failure.wrong}, which is its \`timeout\` in environments.json. Raise that (at most ${longestSiteReset}), have the reset end sooner, or reset only for tasks that ask for it ("when": "asked").`,
    )
  }
}

function cookieKey({ domain, name }: Pick<Cookie, 'domain' | 'name'>): string {
  return `${domain.replace(/^\./, '')} ${name}`
}

/**
 * @param request.body the posted body; absent: GET
 * @param request.within milliseconds for the site to answer
 */
async function ask(
  name: SiteName,
  address: string,
  { body, within = longestCopyMilliseconds }: { body?: object; within?: number },
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
    // Omits the address, which may contain the administrator's secrets.
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
