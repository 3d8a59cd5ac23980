import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import type { Scope } from '../../shared/contracts/key.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { launchChromium } from './launch-chromium.ts'
import { openPage } from './open-page.ts'
import { serveExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

const refused = [/status of 40[13]/]
let browser: Browser

beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByRole('main').getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('main').getByRole('button', { name: 'Use this key' }).click()
}

test('without a key a page asks for one, and keeps it in the tab alone', async () => {
  const { address, examples, makeKey } = await serveWithKeys()
  const key = await makeKey(['runs:read', 'datasets:read'])
  const { page, context } = await openPage(browser, address, { expected: refused })
  await page.goto('/runs')
  await page.getByRole('heading', { name: 'This service asks for an API key' }).waitFor()
  await enterKey(page, 'esp_wrong')
  await page.getByText('The API key is unknown, revoked or expired').waitFor()
  await enterKey(page, key)
  await page.getByRole('link', { name: 'mcts by rewards' }).first().waitFor()
  await page.goto(`/runs/${examples.mcts}`)
  await page.getByRole('heading', { level: 1, name: 'mcts by rewards' }).waitFor()
  await settle(page)

  const kept = (await page.evaluate(
    'JSON.stringify({ local: { ...localStorage }, cookies: document.cookie, url: location.href, html: document.documentElement.outerHTML })',
  )) as string
  expect(kept).not.toContain(key)
  expect(await context.cookies()).toEqual([])
  expect(await page.evaluate('Object.values(sessionStorage)')).toContain(key)
  const other = await context.newPage()
  await other.goto('/runs')
  await other.getByRole('heading', { name: 'This service asks for an API key' }).waitFor()

  await page.getByRole('button', { name: 'API key: set. Change it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Forget the key' }).click()
  await page.getByRole('heading', { name: 'This service asks for an API key' }).waitFor()
  expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain(key)
})

test.each([
  ['datasets:read', 'runs:read', '/runs', '/datasets'],
  ['runs:read', 'datasets:read', '/datasets', '/runs'],
] as const)('a key with only %s is told that it lacks %s', async (has, lacks, closed, open) => {
  const { address, makeKey } = await serveWithKeys()
  const key = await makeKey([has])
  const { page } = await openPage(browser, address, { expected: refused })
  await page.goto(closed)
  await enterKey(page, key)
  const alert = page.getByRole('alert').filter({ hasText: lacks })
  await alert.waitFor()
  expect(await alert.innerText()).toContain('Your key may not see this')
  await page.goto(open)
  await settle(page)
  expect(await page.getByRole('alert').count()).toBe(0)
})

/** The examples behind keys, and a way to make some as whoever holds the folder does. */
async function serveWithKeys() {
  const served = await serveExamples('--auth', 'keys')
  async function makeKey(scopes: Scope[]): Promise<string> {
    const terminal = recordingTerminal()
    const words = ['keys', 'create', '--name', 'browser', '--scopes', scopes.join(','), '--json']
    expect(await runCli([...words, '--folder', served.folder], terminal)).toBe(0)
    return (JSON.parse(terminal.outs.join('\n')) as { key: string }).key
  }
  return { ...served, makeKey }
}
