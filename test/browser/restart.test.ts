import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../shared/learn/serving/server-process.ts'
import { startEspalier } from '../service/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { connectChromium, openPage } from './open-page.ts'
import { serveFolder } from './serve-folder.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

test('a service that is killed under an open page and started again: the page says so, and follows the run to its end', async () => {
  const folder = await temporaryFolder()
  const port = String(await findFreePort())
  const { service, address, client } = await serveFolder(
    folder,
    '--port',
    port,
    '--simulated-latency',
    '5000',
  )
  const run = await client.createRun(
    {
      name: 'pulled plug',
      environment: 'textcraft',
      method: { id: 'react' },
      model: { endpoint: 'simulated', id: 'simulated' },
      tasks: { split: 'train', limit: 12 },
      max_parallel: 3,
    },
    'restart',
  )
  const { page } = await openPage(browser, address, { expected: [/net::ERR_/] })
  await page.goto(`/runs/${run.id}`)
  await page.getByRole('heading', { level: 1, name: 'pulled plug' }).waitFor()
  await expect.poll(async () => (await client.run(run.id)).status).toBe('running')
  const notice = page.getByText('The service does not answer.')
  expect(await notice.count()).toBe(0)

  await service.end('SIGKILL')
  await notice.waitFor()
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('pulled plug')

  await startEspalier('serve', '--folder', folder, '--port', port)
  await notice.waitFor({ state: 'hidden' })
  await page.getByText('12 of 12 episodes ended').waitFor({ timeout: 60_000 })
  await expect.poll(async () => (await client.run(run.id)).status).toBe('succeeded')
  const ended = await client.run(run.id)
  expect(ended.episodes.succeeded + ended.episodes.failed).toBe(12)
})

test('a page that is opened first while no service answers is loaded by itself once one does', async () => {
  const folder = await temporaryFolder()
  const port = String(await findFreePort())
  const { service, address } = await serveFolder(folder, '--port', port)
  const { page } = await openPage(browser, address, { expected: [/net::ERR_/] })
  await page.goto('/runs')
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
  await service.end('SIGKILL')
  await page.getByRole('link', { name: 'Compare' }).click()
  await page.getByRole('heading', { name: 'The service does not answer' }).first().waitFor()
  expect(await page.getByText('This page broke').count()).toBe(0)
  await startEspalier('serve', '--folder', folder, '--port', port)
  await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor()
})
