import type { BrowserContext } from 'playwright-core'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { SessionSites, SitesByName } from '../../shared/environments/webarena/session-files.ts'
import type { SiteName } from '../../shared/environments/webarena/site-names.ts'
import type { SiteAccess } from './evaluated-browser-page.ts'

const longestAnswerMilliseconds = 30_000
const mostAnswerBytes = 32 * 1024 * 1024
const mostRedirects = 5

/**
 * Node's own requests to the sites: pictures, with the session's cookies, and the shop's API, as its administrator.
 * Only the sites are called.
 * @param pictures the task's pictures, by the task's names
 */
export function siteAccess(
  context: BrowserContext,
  { sites }: SessionSites,
  pictures: ReadonlyMap<string, Uint8Array>,
): SiteAccess {
  const hosts = new Set(Object.values(sites).flatMap((site) => site?.hosts ?? []))
  let token: Promise<string> | undefined
  return {
    site: (name) => knownSite(sites, name).address,
    async fetchPicture(address) {
      const own = pictures.get(address)
      if (own !== undefined) return own
      const cookies = await context.cookies(address)
      const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
      const response = await ask(address, hosts, { headers: cookie === '' ? {} : { cookie } })
      return new Uint8Array(await response.arrayBuffer())
    },
    shop: {
      customer: () => administrator(sites).customer,
      async ask(path) {
        const { address } = knownSite(sites, 'shopping')
        token ??= logIn(address, administrator(sites), hosts)
        const headers = { authorization: `Bearer ${await token}` }
        return (await ask(`${address}/rest${path}`, hosts, { headers })).json()
      },
    },
  }
}

function knownSite(sites: SitesByName, name: string) {
  const site = sites[name as SiteName]
  if (site !== undefined) return site
  throw new EspalierError(
    'invalid_request',
    `The task needs the site "${name}", which has no address: sites.${name} in environments.json.`,
    { param: `sites.${name}` },
  )
}

function administrator(sites: SitesByName) {
  const own = knownSite(sites, 'shopping').administrator
  if (own !== undefined) return own
  throw new EspalierError(
    'invalid_request',
    'The evaluation of the task asks the shop as its administrator: say sites.shopping.administrator in environments.json.',
    { param: 'sites.shopping.administrator' },
  )
}

async function logIn(
  shop: string,
  { name, password }: { name: string; password: string },
  hosts: ReadonlySet<string>,
): Promise<string> {
  const response = await ask(`${shop}/rest/default/V1/integration/admin/token`, hosts, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: name, password }),
  })
  return String(await response.json())
}

/** @throws Error for an address outside the sites, and for an unsuccessful answer */
async function ask(address: string, hosts: ReadonlySet<string>, request: RequestInit): Promise<Response> {
  let at = new URL(address)
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    if (!hosts.has(at.host)) {
      throw new EspalierError(
        'environment_failed',
        `${at.origin} is none of the sites. A picture of the task from elsewhere belongs in the folder of its task files, under its name.`,
      )
    }
    const response = await fetch(at, {
      ...request,
      redirect: 'manual',
      signal: AbortSignal.timeout(longestAnswerMilliseconds),
    })
    const next = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || next === null) return accept(response, at)
    at = new URL(next, at)
  }
  throw new Error(`${at.pathname} leads on and on.`)
}

function accept(response: Response, at: URL): Response {
  if (!response.ok) throw new Error(`${at.pathname} of ${at.host} was answered with ${response.status}.`)
  if (Number(response.headers.get('content-length') ?? 0) <= mostAnswerBytes) return response
  throw new Error(`${at.pathname} of ${at.host} is larger than ${mostAnswerBytes} bytes.`)
}
