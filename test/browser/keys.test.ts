import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import type { Scope } from '../../shared/core/contracts/key.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { type Started, spawnEspalier } from '../support/espalier-process.ts'
import { connectChromium, openPage } from './open-page.ts'
import { settle } from './settle.ts'

const refused = [/status of 40[13]/]
const { folder: played, examples } = inject('played')
let browser: Browser
let service: Started
let folder: string
let address: string

beforeAll(async () => {
  browser = await connectChromium()
  folder = await mkdtemp(join(tmpdir(), 'espalier-keys-'))
  await cp(played, folder, { recursive: true })
  const words = ['serve', '--folder', folder, '--port', '0', '--workers', '1', '--auth', 'keys']
  service = await spawnEspalier(words).started
  address = String(service.first.address)
})
afterAll(async () => {
  await browser.close()
  await service.end('SIGTERM')
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByRole('main').getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('main').getByRole('button', { name: 'Use this key' }).click()
}

test('without a key a page asks for one, and keeps it in the tab alone', async () => {
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
] as const)('a page with a key of only %s says that it lacks %s', async (has, lacks, closed, open) => {
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

async function makeKey(scopes: Scope[]): Promise<string> {
  const terminal = recordingTerminal()
  const words = ['keys', 'create', '--name', 'browser', '--scopes', scopes.join(','), '--json']
  expect(await runCli([...words, '--folder', folder], terminal)).toBe(0)
  return (JSON.parse(terminal.outs.join('\n')) as { key: string }).key
}
