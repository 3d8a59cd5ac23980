import type { Browser, BrowserContext, Page } from 'playwright-core'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { SiteAccess } from './evaluated-browser-page.ts'
import { DocumentWatch } from './kept-document.ts'
import { runtimeOf } from './launch-browser.ts'
import { type NetworkRecord, recordNetwork } from './record-network.ts'
import { sealContext } from './seal-context.ts'
import { actAndSettle } from './settle-page.ts'
import { siteAccess } from './site-access.ts'
import { closeContext, openContext } from './trace-context.ts'
import type { WebarenaProblem } from './webarena-backend.ts'

export interface SitesContext {
  context: BrowserContext
  access: SiteAccess
  watch: DocumentWatch
  runtime: string
  network: NetworkRecord | null
}

export interface OpenSites extends SitesContext {
  page: Page
}

/** Opens a context for a task's tabs, logged in. The caller closes it. */
export async function openSitesContext(
  browser: Browser,
  { benchmark, task, access, options, pictures }: WebarenaProblem,
): Promise<SitesContext> {
  const { geolocation } = task
  const context = await openContext(browser, `${benchmark}-${task.task_id}`, {
    viewport: task.viewport_size ?? options.viewport,
    deviceScaleFactor: 1,
    locale: 'en-US',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    acceptDownloads: false,
    ...(access.storage_state !== null && { storageState: readState(access.storage_state) }),
    ...(geolocation && { geolocation, permissions: ['geolocation'] }),
  })
  try {
    await sealContext(
      context,
      Object.values(access.sites).flatMap((site) => site?.hosts ?? []),
    )
    const own = Object.entries(pictures).map(([name, data]) => [name, Buffer.from(data, 'base64')] as const)
    return {
      context,
      access: siteAccess(context, access, new Map(own)),
      watch: new DocumentWatch(context),
      runtime: runtimeOf(browser),
      network: task.verified === null ? null : recordNetwork(context, task.verified),
    }
  } catch (error) {
    await closeContext(context)
    throw error
  }
}

export async function openTabs(context: BrowserContext, { task, access }: WebarenaProblem): Promise<Page> {
  for (const [name, site] of Object.entries(access.sites)) {
    // Otherwise the task would be played, and scored, as a guest.
    if (site?.signed_in) await requireLogIn(context, name, site.address, site.signed_in)
  }
  for (const address of task.start_url.split(' |AND| ')) await openTab(context, address)
  const [page] = context.pages()
  if (page === undefined) throw new Error('The task has no page to start on.')
  await page.bringToFront()
  return page
}

async function requireLogIn(
  context: BrowserContext,
  name: string,
  address: string,
  { path, text }: { path: string; text: string },
): Promise<void> {
  // A redirect could lead out of the sites, and a guest's is to the page that logs in.
  const response = await context.request.get(address + path, { maxRedirects: 0 })
  if (response.status() >= 500)
    throw new Error(`The site "${name}" answered ${path} with ${response.status()}.`)
  if ((await response.text()).includes(text)) return
  throw new EspalierError(
    'environment_failed',
    `The log-in of the site "${name}" is not valid: ${path} does not contain the \`text\` of its \`signed_in\`. Log in to the site again, and save a new storage state where storage_states in environments.json names it. If a reset ends log-ins, the state must hold one that survives it.`,
  )
}

/** @throws Error if the site is unreachable or fails: the task cannot begin */
async function openTab(context: BrowserContext, address: string): Promise<void> {
  const page = await context.newPage()
  const response = await actAndSettle(page, () => page.goto(address))
  const status = response?.status() ?? 200
  if (status >= 500) throw new Error(`The page that the task starts on was answered with ${status}.`)
}

function readState(text: string): NonNullable<Parameters<Browser['newContext']>[0]>['storageState'] & object {
  try {
    return JSON.parse(text)
  } catch {
    throw new EspalierError(
      'invalid_request',
      'The storage state of the task is not JSON: see storage_states in environments.json.',
      { param: 'storage_states' },
    )
  }
}
