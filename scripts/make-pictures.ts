// Plays real runs with the simulated model and takes the docs' pictures of the dashboard. It
// needs the pages of MiniWoB++, from PyPI, and the desktops' packages (`espalier doctor`). With `--all FOLDER` it
// takes every page instead, wide and narrow, light and dark, for review.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { openClient } from '../cli/open-client.ts'
import { loadEndpointsWith } from '../cli/simulated-endpoint.ts'
import { openService } from '../local/open-service.ts'
import type { ApiClient } from '../shared/core/client/api-client.ts'
import type { Episode } from '../shared/core/contracts/episode.ts'
import type { RunRequestInput } from '../shared/core/contracts/run.ts'
import { everyPage } from '../test/browser/every-page.ts'
import { launchChromium } from '../test/browser/launch-chromium.ts'
import { type Examples, exampleModel, playExamples, prepareExamples } from '../test/browser/play-examples.ts'
import { addMiniwob } from '../test/browser-runs/miniwob-pages.ts'

const pictures = join(import.meta.dirname, '../docs/pictures')
const { all } = parseArgs({ options: { all: { type: 'string' } } }).values

type Searches = Record<keyof typeof searches, string>

const rmcts = { id: 'rmcts', value: 'judge', iterations: 8, branching: 3, proposals: 6, max_steps: 6 }
const searches = {
  sites: {
    name: 'rmcts on a shop and a forum',
    environment: 'sites',
    environment_options: { screenshots: true, viewport: { width: 1024, height: 720 } },
    method: rmcts,
    tasks: { ids: ['shopping/0', 'shopping/23', 'reddit/38', 'classifieds/61'] },
  },
  miniwob: {
    name: 'mcts on MiniWoB++',
    environment: 'miniwob',
    environment_options: { screenshots: true },
    method: { id: 'mcts', value: 'none', iterations: 4, samples: 3, max_depth: 5 },
    tasks: {
      ids: ['choose-list/4', 'click-checkboxes/0', 'email-inbox-delete/1', 'login-user/4', 'click-tab-2/1'],
    },
  },
  desktop: {
    name: 'mcts on desktops',
    environment: 'desktop',
    environment_options: { observation: 'screenshot_a11y_tree' },
    method: { id: 'mcts', value: 'none', iterations: 3, samples: 2, max_depth: 4 },
    tasks: { ids: ['terminal-rename-folder', 'terminal-archive'] },
  },
} satisfies Record<string, Omit<RunRequestInput, 'model'>>

const folder = await mkdtemp(join(tmpdir(), 'espalier-pictures-'))
await prepareExamples(folder)
if (all === undefined) await addMiniwob(folder)
const endpoints = await loadEndpointsWith(folder, {}, exampleModel)
const service = await openService({ folder, port: 0, endpoints, log: () => undefined })
const browser = await launchChromium()
try {
  const { signal } = new AbortController()
  const client = openClient({ address: service.address, fetcher: fetch, signal })
  const examples = await playExamples(client, folder)
  if (all === undefined) await takePictures(browser, client, examples, await playSearches(client))
  else await takeEveryPage(browser, all, await everyPage({ client, examples }))
} finally {
  await browser.close()
  await service.close({ grace: 0 })
  await rm(folder, { recursive: true, force: true })
}

async function playSearches(client: ApiClient): Promise<Searches> {
  const played = { sites: '', miniwob: '', desktop: '' }
  for (const search of Object.keys(searches) as (keyof Searches)[]) {
    const request = { ...searches[search], model: { endpoint: 'simulated', id: 'simulated' } }
    played[search] = await playToItsEnd(client, request, search)
  }
  return played
}

async function playToItsEnd(client: ApiClient, request: RunRequestInput, key: string): Promise<string> {
  const { id } = await client.createRun(request, key)
  for (;;) {
    const { status } = await client.run(id)
    if (status === 'succeeded') return id
    if (!['queued', 'running'].includes(status)) throw new Error(`The run "${request.name}" is ${status}.`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

interface Look {
  width: number
  height?: number
  colorScheme?: 'light' | 'dark'
}

async function open(browser: Browser, { width, height = 900, colorScheme = 'light' }: Look): Promise<Page> {
  const context = await browser.newContext({
    baseURL: service.address,
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
  })
  return context.newPage()
}

async function go(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByRole('heading').first().waitFor()
  // Maps and plots take their size from their first drawing.
  await page.waitForTimeout(1500)
}

interface Picture {
  name: string
  address: string
  height: number
  at?: string
  press?: string
}

async function takePictures(
  browser: Browser,
  client: ApiClient,
  examples: Examples,
  played: Searches,
): Promise<void> {
  const { react, mcts, debate, dataset } = examples
  const searched = await largestSolved(client, mcts, 250)
  const debated = await largestSolved(client, debate, 250)
  const browsed = await largestSolved(client, played.sites, 250)
  const small = await largestSolved(client, played.miniwob, 250)
  const desktop = await largestSolved(client, played.desktop, 250)
  const [memory] = (await client.memories({ limit: 1 })).data
  const wanted: Picture[] = [
    { name: 'runs', address: '/runs', height: 620 },
    { name: 'run', address: `/runs/${mcts}`, height: 1000 },
    {
      name: 'tree',
      address: `${searched.address}?node=${searched.best}`,
      height: 1000,
      press: 'Fit the whole tree (f)',
    },
    {
      name: 'node',
      address: `${debated.address}?node=${debated.busiest}`,
      height: 1000,
      at: 'How it was judged',
    },
    {
      name: 'pages-tree',
      address: `${browsed.address}?node=${browsed.best}`,
      height: 1000,
      press: 'Fit the whole tree (f)',
    },
    {
      name: 'pages-node',
      address: `${browsed.address}?node=${browsed.best}`,
      height: 1000,
      at: 'Observation',
    },
    {
      name: 'miniwob-tree',
      address: `${small.address}?node=${small.best}`,
      height: 900,
      press: 'Fit the whole tree (f)',
    },
    {
      name: 'desktop-node',
      address: `${desktop.address}?node=${desktop.best}`,
      height: 900,
      at: 'Observation',
    },
    { name: 'compare', address: `/compare?runs=${react},${mcts}`, height: 1100 },
    {
      name: 'side-by-side',
      address: `/compare/episodes?left=${react}/ep-0000008&right=${mcts}/ep-0000008`,
      height: 1100,
    },
    { name: 'judging', address: `/runs/${debate}/label?blind=1`, height: 900 },
    { name: 'dataset', address: `/datasets/${dataset}?row=0`, height: 860 },
    { name: 'memory', address: `/memories/${memory?.id}`, height: 820 },
  ]
  await mkdir(pictures, { recursive: true })
  for (const { name, address, height, at, press } of wanted) {
    const page = await open(browser, { width: 1440, height })
    await go(page, address)
    if (press !== undefined) await page.getByRole('button', { name: press }).click()
    if (at !== undefined) {
      const heading = page.getByRole('heading', { name: at, exact: true }).first()
      await heading.evaluate((found: { scrollIntoView(): void }) => found.scrollIntoView())
    }
    await page.waitForTimeout(500)
    await writeFile(join(pictures, `${name}.webp`), await toWebp(page, await page.screenshot()))
    await page.context().close()
    console.log(`docs/pictures/${name}.webp`)
  }
}

async function toWebp(page: Page, png: Buffer): Promise<Buffer> {
  const blank = await page.context().newPage()
  const packed: string = await blank.evaluate(`(async () => {
    const picture = new Image()
    picture.src = 'data:image/png;base64,${png.toString('base64')}'
    await picture.decode()
    const canvas = document.createElement('canvas')
    canvas.width = picture.naturalWidth
    canvas.height = picture.naturalHeight
    canvas.getContext('2d').drawImage(picture, 0, 0)
    return canvas.toDataURL('image/webp', 0.92)
  })()`)
  await blank.close()
  return Buffer.from(packed.slice(packed.indexOf(',') + 1), 'base64')
}

async function largestSolved(client: ApiClient, run: string, most: number) {
  const { data } = await client.episodes(run, { limit: 100, status: 'succeeded' })
  const nodesOf = (episode: Episode) => episode.result?.nodes ?? 0
  const [found] = data
    .filter((episode) => nodesOf(episode) <= most)
    .sort((one, other) => nodesOf(other) - nodesOf(one))
  if (found === undefined)
    throw new Error(`The run ${run} solved no task with a tree of at most ${most} nodes.`)
  const { nodes, best } = await client.tree(run, found.id)
  const inner = nodes.map(({ depth, visits }, node) => ({ node, visits: depth > 1 ? visits : 0 }))
  const busiest = inner.sort((one, other) => other.visits - one.visits)[0]?.node ?? 0
  return { address: `/runs/${run}/episodes/${found.id}`, best, busiest }
}

async function takeEveryPage(browser: Browser, into: string, pages: Record<string, string>): Promise<void> {
  await mkdir(into, { recursive: true })
  for (const width of [1440, 820, 390]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open(browser, { width, colorScheme })
      for (const [name, address] of Object.entries(pages)) {
        await go(page, address)
        const path = join(into, `${name.replaceAll(' ', '-')}-${width}-${colorScheme}.png`)
        await page.screenshot({ path, fullPage: true })
        console.log(path)
      }
      await page.context().close()
    }
  }
}
