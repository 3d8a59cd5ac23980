import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { needsOf } from '../../web/pages/environments/facets.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { connectChromium, openPage } from './open-page.ts'
import { serveFolder, sharedExamples } from './serve-folder.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

test('a person narrows the environments by facets, reads the rules of one, and begins a run of it', async () => {
  const { address, client } = sharedExamples()
  const { data } = await client.environments()
  const { page } = await openPage(browser, address)
  await page.goto('/environments')
  const main = page.getByRole('main')
  const rows = main.getByRole('region', { name: 'Environments' }).getByRole('rowheader')
  await expect.poll(() => rows.count()).toBe(data.length)
  await main.getByLabel('Needs').selectOption('nothing')
  const free = data.filter((each) => needsOf(each).includes('nothing'))
  expect(free.length).toBeLessThan(data.length)
  await expect.poll(() => rows.count()).toBe(free.length)
  await main.getByLabel('States').selectOption('native')
  await main.getByRole('searchbox', { name: 'Text' }).fill('textcraft')
  await page.waitForURL(/\?needs=nothing&states=native&text=textcraft$/)
  await expect.poll(() => rows.count()).toBe(1)
  await main.getByText('Rules and commands').click()
  await main.getByText('espalier run --environment textcraft').waitFor()
  await main.getByRole('searchbox', { name: 'Text' }).fill('')
  await main.getByLabel('States').selectOption('')
  await main.getByLabel('Needs').selectOption('')
  await main.getByLabel('Kind').selectOption({ label: 'web pages' })
  const pages = data.filter(({ kind }) => kind === 'pages')
  expect(pages.length).toBeGreaterThan(1)
  await expect.poll(() => rows.count()).toBe(pages.length)
  await main.getByLabel('Kind').selectOption('')
  await main.getByLabel('Tool').selectOption('craft')
  await expect.poll(() => rows.count()).toBe(data.filter(({ tools }) => tools.includes('craft')).length)
  await main.getByRole('searchbox', { name: 'Text' }).fill('no such environment')
  await main.getByRole('button', { name: 'Clear the filters' }).click()
  await expect.poll(() => rows.count()).toBe(data.length)
  await main
    .getByRole('row', { name: /^textcraft/ })
    .getByRole('link', { name: 'New run' })
    .click()
  await page.waitForURL(/\/runs\/new\?/)
  expect(await main.getByLabel('Environment', { exact: true }).inputValue()).toBe('textcraft')
})

test('each empty list shows a command, with the file that it needs', async () => {
  const { address } = await serveFolder(await temporaryFolder())
  const { page } = await openPage(browser, address)
  for (const [path, command] of [
    ['/runs', 'espalier run '],
    ['/datasets', 'espalier export '],
    ['/trainings', 'espalier train '],
    ['/loops', 'espalier loop '],
    ['/models', 'espalier models add '],
    ['/libraries', 'espalier run '],
    ['/memories', 'espalier run '],
    ['/leaderboard', "cat > sweep.yaml <<'END_OF_FILE'\n"],
    ['/environments', "cat > env.py <<'END_OF_FILE'\n"],
  ] as const) {
    await page.goto(path)
    const shown = page.getByRole('main').locator('pre').filter({ hasText: 'espalier ' }).last()
    await shown.waitFor()
    expect((await shown.innerText()).startsWith(command), path).toBe(true)
  }
})
