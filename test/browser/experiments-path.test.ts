import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { connectChromium, openPage } from './open-page.ts'
import { serveFolder } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

const sweep = `
name: depth
methods: [react, { id: act }]
environments:
  - { id: textcraft, tasks: { split: test, limit: 4 } }
  - { id: pddl, tasks: { types: [gripper], limit: 3 } }
models: [simulated:simulated]
seeds: [0, 1]
parallel: 4
`

test('a person looks at what a sweep came to, compares two methods, relabels a run, archives and deletes it', async () => {
  const folder = await temporaryFolder()
  const { address, client } = await serveFolder(folder)
  const path = join(folder, 'sweep.yaml')
  await writeFile(path, sweep)
  const terminal = recordingTerminal()
  expect(await runCli(['sweep', path, '--folder', folder], terminal), terminal.notes.join('\n')).toBe(0)

  const { page } = await openPage(browser, address)
  const main = page.getByRole('main')
  await page.goto('/runs')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Compare' }).click()
  await page
    .getByRole('navigation', { name: 'Pages of Compare' })
    .getByRole('link', { name: 'Leaderboard' })
    .click()
  // The list of runs has a field of that name too.
  await main.getByRole('heading', { level: 1, name: 'Leaderboard' }).waitFor()
  await main.getByLabel('Experiment').selectOption('depth')
  await main.getByRole('region', { name: 'Average', exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('experiment')).toBe('depth')
  const textcraft = main.getByRole('region', { name: 'textcraft', exact: true })
  expect(await textcraft.getByRole('row').count()).toBe(3)
  expect(await textcraft.getByRole('link', { name: /^seed/ }).count()).toBe(4)
  const tests = main.getByRole('region', { name: 'Paired tests', exact: true })
  expect(await tests.getByRole('row').count()).toBe(3)

  await tests.getByRole('link', { name: /^Compare .* in textcraft$/ }).click()
  await page.waitForURL(/\/compare\?runs=/)
  await main.getByRole('heading', { name: 'Tasks won and lost' }).waitFor()
  await page.goBack()

  await textcraft.getByRole('link', { name: 'seed 1' }).first().click()
  await page.waitForURL(/\/runs\/run-/)
  const run = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await main.getByRole('button', { name: 'Actions', exact: true }).click()
  await main.getByRole('button', { name: 'Name and labels …' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('a second seed')
  await dialog.getByLabel('Experiment').fill('other')
  await dialog.getByLabel('Tags').fill('kept, checked')
  await dialog.getByLabel('Note').fill('Looked at by hand.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await main.getByRole('heading', { level: 1, name: 'a second seed' }).waitFor()
  await main.getByText('Looked at by hand.').first().waitFor()
  expect((await client.run(run)).request).toMatchObject({ experiment: 'other', tags: ['kept', 'checked'] })

  // The dialog gave the focus back to its button: the menu is still open.
  await main.getByRole('button', { name: 'Archive' }).click()
  await main.getByRole('button', { name: 'Take out of the archive' }).waitFor()
  await page.goto('/runs?tag=kept')
  await main.getByText('No run is like that').waitFor()
  await main.getByRole('button', { name: 'Filters', exact: true }).click()
  await main.getByLabel('Archived').selectOption({ label: 'only these' })
  await main.getByRole('link', { name: 'a second seed' }).click()
  await main.getByRole('heading', { level: 1, name: 'a second seed' }).waitFor()
  // A report that is still read when its run is deleted is answered with 404.
  await settle(page)

  await main.getByRole('button', { name: 'Actions', exact: true }).click()
  await main.getByRole('button', { name: 'Delete …' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete the run' }).click()
  await page.waitForURL(/\/runs$/)
  expect((await client.runs({ limit: 100, archived: 'any' })).data.map(({ id }) => id)).not.toContain(run)
})
