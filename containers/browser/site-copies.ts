import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { BrowserContext } from 'playwright-core'
import { EspalierError } from '../../shared/contracts/errors.ts'
import { type JsonObject, jsonObjectSchema } from '../../shared/contracts/json.ts'
import { postResetHook } from '../../shared/environments/post-reset-hook.ts'
import type { SessionSite, SessionSites } from '../../shared/environments/webarena/session-files.ts'
import type { SiteName } from '../../shared/environments/webarena/site-names.ts'

/** Milliseconds that a site has to give a session its copy, or to take it back. */
const longestCopy = 30_000
/** Characters that a site may answer there, its state included. */
const largestState = 1_000_000

/** The states of a session's copies, by site, as the sites gave them. */
export type CopyStates = Readonly<Partial<Record<SiteName, JsonObject>>>

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

  /** Whether {@link states} reads all that a session may have changed on them. */
  get haveStates(): boolean {
    return this.#sites.every(
      ([, { sharing }]) =>
        sharing.kind === 'read_only' || (sharing.kind === 'sessions' && sharing.state !== undefined),
    )
  }

  /**
   * The states of its copies now, for {@link enterStates}.
   *
   * @throws EspalierError `endpoint_failed` where a site does not say its state
   */
  async states(): Promise<CopyStates> {
    const read = async ([name, { address, sharing }]: readonly [SiteName, SessionSite]) => {
      if (sharing.kind !== 'sessions' || sharing.state === undefined) return []
      const { text } = await ask(name, `${address}${sharing.state}?session=${this.#key}`)
      return [[name, readState(name, text)] as const]
    }
    return Object.fromEntries((await Promise.all(this.#sites.map(read))).flat())
  }

  /**
   * Puts its copies where {@link states} were, of this session or of another one.
   *
   * @throws EspalierError `endpoint_failed` where a site has it no more, or is somewhere else afterwards
   */
  async enterStates(states: CopyStates): Promise<void> {
    this.#cookies = []
    await Promise.all(this.#sites.map(([name, site]) => this.#resetSite(name, site, states[name])))
    const entered = await this.states()
    const other = this.#sites.find(([name]) => !isDeepStrictEqual(entered[name], states[name]))
    if (other !== undefined) throw failed(other[0], 'is in another state than its reset was given')
  }

  /** Whether a cookie is one by which a site knows the session. */
  isOfCopies({ name }: { name: string }): boolean {
    return this.#cookies.some((cookie) => cookie.name === name)
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
        await ask(name, address + sharing.close, { session: this.#key })
      }),
    )
  }

  async #resetSite(name: SiteName, { address, sharing }: SessionSite, state?: JsonObject): Promise<void> {
    if (sharing.kind === 'read_only') return
    if (sharing.kind === 'sessions') {
      const begun = { session: this.#key, ...(state !== undefined && { state }) }
      const { headers } = await ask(name, address + sharing.reset, begun)
      const cookies = headers.getSetCookie().flatMap((written) => {
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

/** @param body that is posted; without it the address is read */
async function ask(
  name: SiteName,
  address: string,
  body?: object,
): Promise<{ headers: Headers; text: string }> {
  const json = { 'content-type': 'application/json' }
  const posted = { method: 'POST', headers: json, body: JSON.stringify(body) }
  let response: Response
  let text: string
  try {
    response = await fetch(address, { ...(body && posted), signal: AbortSignal.timeout(longestCopy) })
    text = await response.text()
    if (text.length > largestState) throw failed(name, `answered more than ${largestState} characters`)
  } catch (cause) {
    if (EspalierError.isInstance(cause)) throw cause
    // The address is not said: it may hold what only the administrator knows.
    const isLate = cause instanceof Error && cause.name === 'TimeoutError'
    const wrong = isLate ? `has not answered in ${longestCopy / 1000} seconds` : 'is not reached'
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
