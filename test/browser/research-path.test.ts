import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { connectChromium, openPage } from './open-page.ts'
import { serveFolder } from './serve-folder.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

const sweep = `
name: look-ahead
methods: [act, { id: mcts, iterations: 2, samples: 3, label: searched }]
environments:
  - { id: textcraft, tasks: { split: test, limit: 6 } }
models: [simulated:simulated]
parallel: 2
`

test('a person goes from a sweep over leaderboard, comparison, two trajectories, search, labels and scores to pages on disk', async () => {
  const folder = await temporaryFolder()
  const { address, client } = await serveFolder(folder, '--simulated-skill', '0.6')
  const espalier = async (...words: string[]) => {
    const terminal = recordingTerminal()
    const code = await runCli([...words, '--folder', folder], terminal)
    expect(code, terminal.notes.join('\n')).toBe(0)
    return terminal.outs.join('\n')
  }
  await writeFile(join(folder, 'sweep.yaml'), sweep)
  await espalier('sweep', join(folder, 'sweep.yaml'))

  const { page } = await openPage(browser, address)
  const main = page.getByRole('main')
  const headed = (name: string) => main.getByRole('heading', { level: 1, name }).waitFor()
  await page.goto('/leaderboard?experiment=look-ahead')
  const tests = main.getByRole('region', { name: 'Paired tests', exact: true })
  await tests.getByRole('link', { name: /^Compare .* in textcraft$/ }).click()
  await page.waitForURL(/\/compare\?runs=/)
  await main.getByRole('button', { name: /^Show tasks/ }).click()
  await main.locator('details summary').first().click()
  await main.getByRole('link', { name: 'Side by side' }).first().click()
  await headed('Trajectories side by side')
  await main
    .getByRole('status')
    .getByText(/\d+\s+differences?/)
    .waitFor()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Runs' }).click()
  await page.getByRole('navigation', { name: 'Pages of Runs' }).getByRole('link', { name: 'Search' }).click()
  await headed('Search')
  await main.getByLabel('Words').fill('craft')
  const found = main.getByRole('region', { name: 'What was found' })
  await found.getByRole('article').first().waitFor()
  await found
    .getByRole('article')
    .first()
    .getByRole('link', { name: /node \d+/ })
    .click()
  await page.waitForURL(/\/runs\/run-[^/]+\/episodes\/ep-\d+\?node=/)
  await main.getByRole('region', { name: 'Judgements' }).getByRole('link', { name: 'Judge it' }).click()
  await headed('Judge episodes')
  await main.getByText('0 of 6 episodes judged by operator').waitFor()
  await page.keyboard.press('y')
  await main.getByText('1 of 6 episodes judged by operator').waitFor()
  const run = new URL(page.url()).pathname.split('/')[2] ?? ''

  await espalier('score', run, '--name', 'no-repeats', '--scorer', 'examples/no-repeats.ts')
  const { data: scores } = await client.scores(run)
  expect(scores.map(({ id }) => id).toSorted()).toEqual(['helpful', 'no-repeats'])
  await page.goto(`/runs/${run}`)
  await main.getByText('no-repeats').first().waitFor()

  const { data: runs } = await client.runs({ experiment: 'look-ahead', limit: 10 })
  const bundle = join(folder, 'bundle')
  await espalier('bundle', ...runs.map(({ id }) => id), '--out', bundle)
  // Without the service: whatever it asked for elsewhere would be missing.
  const offline = await browser.newContext({ offline: true })
  const disk = await offline.newPage()
  await disk.goto(pathToFileURL(join(bundle, 'index.html')).href)
  await disk.locator(`a[href*="${run}"]`).first().click()
  await disk.waitForURL(/^file:.*\/runs\/run-/)
  await disk
    .getByRole('link', { name: /^ep-\d+$/ })
    .first()
    .click()
  await disk
    .getByRole('heading', { level: 1 })
    .getByText(/ep-\d+/)
    .waitFor()
  await offline.close()
}, 180_000)
