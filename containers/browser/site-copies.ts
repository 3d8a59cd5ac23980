import { randomUUID } from 'node:crypto'
import type { BrowserContext } from 'playwright-core'
import { EspalierError } from '../../shared/contracts/errors.ts'
import { postResetHook } from '../../shared/environments/post-reset-hook.ts'
import type { SessionSite, SessionSites } from '../../shared/environments/webarena/session-files.ts'
import type { SiteName } from '../../shared/environments/webarena/site-names.ts'

/** Milliseconds that a site has to give a session its copy, or to take it back. */
const longestCopy = 30_000

/** The sites of one session as it has them for itself: copies that they keep by a key, or the whole site, reset. */
export class SiteCopies {
  readonly #sites: (readonly [SiteName, SessionSite])[]
  readonly #isAsked: boolean
  readonly #key = randomUUID()
  #cookies: { url: string; name: string; value: string }[] = []

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
    this.#cookies = []
    await Promise.all(this.#sites.map(([name, site]) => this.#resetSite(name, site)))
  }

  /** Lets a context show its sites the session that it belongs to. */
  async enter(context: BrowserContext): Promise<void> {
    await context.addCookies(this.#cookies)
    const headers = this.#sites.flatMap(([, { sharing }]) =>
      sharing.kind === 'sessions' && sharing.header !== undefined ? [[sharing.header, this.#key]] : [],
    )
    if (headers.length > 0) await context.setExtraHTTPHeaders(Object.fromEntries(headers))
  }

  /** Gives the copies back. One that cannot be is the site's to forget. */
  async close(): Promise<void> {
    await Promise.allSettled(
      this.#sites.map(async ([name, { address, sharing }]) => {
        if (sharing.kind !== 'sessions' || sharing.close === undefined) return
        await post(name, address + sharing.close, { session: this.#key })
      }),
    )
  }

  async #resetSite(name: SiteName, { address, sharing }: SessionSite): Promise<void> {
    if (sharing.kind === 'read_only') return
    if (sharing.kind === 'sessions') {
      const response = await post(name, address + sharing.reset, { session: this.#key })
      const cookies = response.headers.getSetCookie().flatMap((written) => {
        const [, key, value] = /^\s*([^=;]+)=([^;]*)/.exec(written) ?? []
        return key === undefined || value === undefined ? [] : [{ url: address, name: key, value }]
      })
      this.#cookies.push(...cookies)
      if (cookies.length > 0 || sharing.header !== undefined) return
      throw failed(
        name,
        'answered its reset without a cookie for the session, and no header is set for its key',
      )
    }
    const { when, ...hook } = sharing.reset
    if (when === 'asked' && !this.#isAsked) return
    const wrong = await postResetHook(hook)
    if (wrong !== null) throw failed(name, wrong)
  }
}

async function post(name: SiteName, address: string, body: object): Promise<Response> {
  let response: Response
  try {
    response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(longestCopy),
    })
    await response.arrayBuffer()
  } catch (cause) {
    // The address is not said: it may hold what only the administrator knows.
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    const wrong = isLate ? `has not answered its reset in ${longestCopy / 1000} seconds` : 'is not reached'
    throw failed(name, wrong)
  }
  if (response.ok) return response
  throw failed(name, `answered its reset with ${response.status}`)
}

function failed(name: SiteName, what: string): EspalierError {
  return new EspalierError(
    'endpoint_failed',
    `The site "${name}" ${what}. Check it, and its entry in environments.json.`,
  )
}
