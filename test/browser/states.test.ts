import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { everyPage } from './every-page.ts'
import { connectChromium, openPage } from './open-page.ts'
import { serveExamples, serveFolder, sharedExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

test('the folder that the quickstart leaves shows its runs', async () => {
  const folder = await temporaryFolder()
  const words = ['quickstart', '--tasks', '2', '--latency', '0', '--skill', '1', '--folder', folder]
  expect(await runCli(words, recordingTerminal())).toBe(0)
  const { address } = await serveFolder(folder)
  const { page } = await openPage(browser, address)
  await page.goto('/')
  for (const name of ['quickstart react', 'quickstart mcts']) {
    await page.getByRole('link', { name }).first().waitFor()
  }
  expect(new URL(page.url()).pathname).toBe('/runs')
})

test('a folder without anything says what could be there, on every list', async () => {
  const { address } = await serveFolder(await temporaryFolder())
  const { page } = await openPage(browser, address)
  for (const path of ['/runs', '/compare', '/datasets', '/libraries', '/memories']) {
    await page.goto(path)
    await settle(page)
    expect((await page.getByRole('main').innerText()).length, path).toBeGreaterThan(60)
    expect(await page.getByRole('alert').count(), path).toBe(0)
  }
})

test('what is not there is said to be missing, by its name', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address, { expected: [/status of 404/] })
  const missing: Record<string, string> = {
    '/runs/run-of-nobody': 'run-of-nobody',
    [`/runs/${examples.mcts}/episodes/ep-9999999`]: 'ep-9999999',
    '/datasets/dataset-of-nobody': 'dataset-of-nobody',
    '/libraries/library-of-nobody': 'library-of-nobody',
    '/memories/memory-of-nobody': 'memory-of-nobody',
    '/guide/page-of-nobody': 'page-of-nobody',
    '/nowhere/at/all': 'There is no such page',
  }
  for (const [path, what] of Object.entries(missing)) {
    await page.goto(path)
    const main = page.getByRole('main')
    await main.getByText(what).first().waitFor()
    await main
      .getByText(/not there|no such|There is no/i)
      .first()
      .waitFor()
  }
})

test('a run that its cap stopped before an episode ended shows why, and no rate', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.capped}`)
  await page.getByRole('heading', { level: 1, name: 'stopped at its cap' }).waitFor()
  await settle(page)
  const text = await page.getByRole('main').innerText()
  expect(text).toMatch(/paused/i)
  expect(text).toMatch(/tokens/)
  expect(text).not.toMatch(/NaN|Infinity|undefined|null/)
})

test('no page of an ordinary run shows what only programs write', async () => {
  const { address, examples, client } = sharedExamples()
  const [episode] = (await client.episodes(examples.debate, { limit: 1 })).data
  const { page } = await openPage(browser, address)
  for (const path of [
    '/runs',
    `/runs/${examples.mcts}`,
    `/runs/${examples.debate}/episodes/${episode?.id}?node=1`,
    `/compare?runs=${examples.react},${examples.mcts}`,
    `/datasets/${examples.dataset}`,
  ]) {
    await page.goto(path)
    await settle(page)
    expect(await page.getByRole('main').innerText(), path).not.toMatch(/\bNaN\b|Infinity|undefined|\[object/)
    expect(await page.locator('.undefined').count(), path).toBe(0)
  }
})

/** A text that begins with an end as the API calls it, after its count; or an address of the API. Sentences may have these verbs. */
const raw = /^\s*(?:[\d,]+ )?(?:succeeded|errored|limited)\b|\b(?:GET|POST|PUT|PATCH|DELETE) \/v1\//

/** Commands, requests and names of fields are for programs. */
const hideCode = `for (const code of document.querySelectorAll('main code, main pre')) code.style.display = 'none'`

test('every page says in words how runs and episodes ended, and names no address of the API', async () => {
  const served = sharedExamples()
  const { page } = await openPage(browser, served.address, { expected: [/status of 404/] })
  const found: string[] = []
  for (const [name, path] of Object.entries(await everyPage(served))) {
    // The guide explains the API's values.
    if (path.startsWith('/guide')) continue
    await page.goto(path)
    await settle(page)
    await page.evaluate(hideCode)
    const shown = await page.getByRole('main').innerText()
    found.push(
      ...shown
        .split(/[\n\t]/)
        .filter((line) => raw.test(line))
        .map((line) => `${name}: ${line}`),
    )
  }
  expect(found).toEqual([])
})

test('a tree of one node, of an episode that its limit stopped at once, is shown in every view', async () => {
  const { address, client } = await serveFolder(await temporaryFolder())
  const run = await client.createRun(
    {
      environment: 'textcraft',
      method: { id: 'mcts' },
      model: { endpoint: 'simulated', id: 'simulated' },
      tasks: { split: 'train', limit: 1 },
      episode_limits: { turns: 1 },
    },
    'one',
  )
  await expect.poll(async () => (await client.run(run.id)).status).toBe('succeeded')
  expect((await client.tree(run.id, 'ep-0000000')).nodes).toHaveLength(1)
  const { page } = await openPage(browser, address)
  const main = page.getByRole('main')
  const shown = {
    map: main.getByRole('application', { name: /Map of the tree/ }),
    outline: main.getByRole('treeitem'),
    conversation: main.getByRole('heading', { name: 'No action yet' }),
  }
  for (const [view, wanted] of Object.entries(shown)) {
    await page.goto(`/runs/${run.id}/episodes/ep-0000000?view=${view}&node=0`)
    await wanted.waitFor()
    await main.getByText('out of turns', { exact: true }).first().waitFor()
    expect(await page.getByRole('alert').count(), view).toBe(0)
    expect(await main.innerText()).not.toMatch(/\bNaN\b|Infinity|undefined/)
  }
})

test('a double click does once what is asked of a run', async () => {
  const { address, examples } = await serveExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.mcts}`)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('button', { name: 'Extend …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('iterations').fill('30')
  await dialog.getByRole('button', { name: 'Extend', exact: true }).dblclick()
  await dialog.waitFor({ state: 'hidden' })
  await page
    .getByText(/episodes ended/)
    .first()
    .waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)
})

test('a part of a page that a newer version has taken away is said to be missing, and loading it again brings the page', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address, {
    expected: [/status of 404/, /Unable to preload|dynamically imported/],
  })
  await page.goto('/runs')
  await settle(page)
  await page.route(/compare-page/, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Compare', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'This page could not be loaded' }).waitFor()
  await expect.poll(() => page.title()).toContain('This page could not be loaded')
  await page.getByText('A newer version may have been installed').waitFor()
  await page.unroute(/compare-page/)
  await page.getByRole('button', { name: 'Load it again' }).click()
  await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor()
})

test('success rates that cannot be loaded are said to be missing under the list, which stays where it is', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address, { expected: [/status of 503/] })
  const refusal = { error: { message: 'The reports are away.', type: 'server_error', code: 'unavailable' } }
  await page.route(/reports\/success/, (route) => route.fulfill({ status: 503, json: refusal }))
  await page.goto('/runs')
  const list = page.getByRole('region', { name: 'The runs' })
  await list.getByRole('link', { name: 'mcts by rewards' }).waitFor()
  const before = await list.boundingBox()
  await page.getByText('Success rates could not be loaded: The reports are away.').waitFor()
  expect(await list.boundingBox()).toEqual(before)
  await list.getByTitle('The success rate could not be loaded.').first().waitFor()
  await page.unroute(/reports\/success/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await list.getByTitle('The success rate could not be loaded.').first().waitFor({ state: 'hidden' })
  await page.getByText('Success rates could not be loaded').waitFor({ state: 'hidden' })
})

test('rows of a dataset that come late move nothing', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.route(/\/rows/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await page.addInitScript(`
    window.shift = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  `)
  await page.goto(`/datasets/${examples.dataset}`)
  await page.getByRole('article', { name: 'Row 0' }).waitFor()
  await settle(page)
  expect(await page.evaluate('window.shift')).toBeLessThan(0.02)
})

test('a comparison and a run are printed whole and without the head of the page', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address, { width: 720 })
  for (const path of [`/compare?runs=${examples.react},${examples.mcts}`, `/runs/${examples.mcts}`]) {
    await page.goto(path)
    await settle(page)
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('link', { name: 'Espalier, to the runs' }).isVisible(), path).toBe(false)
    // As wide as a sheet of paper: nothing reaches beyond it.
    await expect
      .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: path })
      .toBe(720)
    await page.emulateMedia({ media: 'screen' })
  }
})
