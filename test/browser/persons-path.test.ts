import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { connectChromium, openPage } from './open-page.ts'
import { serveFolder } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

/** Fills in the form of a new run and starts it. @returns its id */
async function startRun(
  page: Page,
  run: { name: string; method: string; parameters?: Record<string, string> },
) {
  await page.goto('/runs')
  await page.getByRole('link', { name: 'New run' }).first().click()
  const what = page.getByRole('region', { name: 'What is played' })
  await what.getByLabel('Environment').selectOption('textcraft')
  await what.getByLabel('Name of the run').fill(run.name)
  const tasks = page.getByRole('region', { name: 'Tasks' })
  const split = tasks.getByLabel('Split', { exact: true })
  await split.getByRole('option', { name: /^train/ }).waitFor({ state: 'attached' })
  await split.selectOption({ label: await labelOf(split, 'train') })
  await tasks.getByLabel('limit').fill('6')
  const method = page.getByRole('region', { name: 'Method' })
  await method.getByRole('combobox', { name: 'Method' }).selectOption(run.method)
  for (const [name, value] of Object.entries(run.parameters ?? {}))
    await method.getByLabel(name, { exact: true }).fill(value)
  const estimate = page.getByRole('region', { name: 'What it would take' })
  await estimate.getByText('6', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Start the run' }).click()
  await page.waitForURL(/\/runs\/run-[^/]+$/)
  await page.getByRole('heading', { level: 1, name: run.name }).waitFor()
  return new URL(page.url()).pathname.split('/').at(-1) ?? ''
}

/** The words of an option that begins with a text, as its count follows it. */
async function labelOf(select: ReturnType<Page['locator']>, start: string): Promise<string> {
  const labels = await select.getByRole('option').allInnerTexts()
  return labels.find((label) => label.startsWith(start)) ?? ''
}

test('a person starts runs, follows one, looks into its tree, compares, and builds, checks and downloads a dataset', async () => {
  const folder = await temporaryFolder()
  const { address, client } = await serveFolder(
    folder,
    '--simulated-latency',
    '30',
    '--simulated-skill',
    '0.7',
  )
  const { page } = await openPage(browser, address)
  const main = page.getByRole('main')

  const react = await startRun(page, { name: 'baseline', method: 'react' })
  const mcts = await startRun(page, {
    name: 'searched',
    method: 'mcts',
    parameters: { iterations: '4', samples: '3' },
  })
  expect((await client.run(mcts)).request).toMatchObject({
    name: 'searched',
    tasks: { split: 'train', limit: 6 },
    method: { id: 'mcts', iterations: 4, samples: 3 },
  })

  // The page follows the run by itself.
  await main.getByText('6 of 6 episodes ended').waitFor({ timeout: 60_000 })
  await main.getByText('completed').first().waitFor()
  const ended = await client.run(mcts)
  expect(ended.status).toBe('succeeded')
  await main.getByText('prove plumbing, not quality').first().waitFor()

  // Its first episode that was solved, then a node of its tree.
  const { data } = await client.episodes(mcts, { limit: 6 })
  const solved = data.find(({ status }) => status === 'succeeded')
  await main.getByRole('link', { name: solved?.id ?? '' }).click()
  await page.waitForURL(/\/episodes\/ep-/)
  await page.getByRole('application', { name: /Map of the tree/ }).waitFor()
  await page.getByRole('tab', { name: 'Outline' }).click()
  await page.getByRole('treeitem').nth(1).click()
  const panel = page.getByRole('complementary', { name: /^Node \d/ })
  await panel.waitFor()
  await page.waitForURL(/[?&]node=\d/)
  const chosen = Number(new URL(page.url()).searchParams.get('node'))
  const node = (await client.tree(mcts, solved?.id ?? '')).nodes[chosen]
  await expect.poll(() => panel.innerText()).toContain(node?.action ?? 'no action')
  await page.reload()
  await panel.waitFor()
  await expect.poll(() => panel.innerText()).toContain(node?.action ?? 'no action')

  // Both runs beside each other, chosen in the list.
  await page.goto('/runs')
  for (const name of [/baseline/, /searched/]) {
    const choice = page.getByRole('checkbox', { name })
    await choice.click()
    await expect.poll(() => choice.isChecked()).toBe(true)
  }
  await page
    .getByRole('link', { name: /^Compare/ })
    .last()
    .click()
  await page.waitForURL(/\/compare\?/)
  await settle(page)
  expect(new URL(page.url()).searchParams.get('runs')?.split(',').sort()).toEqual([react, mcts].sort())
  await page.getByRole('heading', { name: /^Minus / }).waitFor()
  await page.getByRole('heading', { name: 'Tasks won and lost' }).waitFor()

  // A dataset of the search, from its page.
  await page.goto(`/runs/${mcts}`)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('link', { name: 'Build a dataset' }).click()
  await page.getByRole('radio', { name: /^sft / }).check()
  await page.getByRole('radio', { name: /^openai / }).check()
  await page.getByRole('button', { name: 'Build the dataset' }).click()
  await page.waitForURL(/\/datasets\/dataset-/)
  const dataset = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.getByRole('button', { name: /^Download all \d/ }).waitFor({ timeout: 60_000 })

  // Its first row: what is learned is said in words, and its node is a link.
  const row = page.getByRole('article', { name: /^Row / })
  await row.waitFor()
  const [preview] = (await client.datasetRows(dataset, { limit: 1 })).data
  const turns = preview?.parts.flatMap((part) => part.turns) ?? []
  expect(turns.some(({ learned }) => learned)).toBe(true)
  expect(turns.some(({ learned }) => learned === false)).toBe(true)
  await row.getByText('learned', { exact: true }).first().waitFor()
  await row.getByText('context', { exact: true }).first().waitFor()
  const lineage = preview?.lineage
  if (lineage === undefined || !('node_ids' in lineage.origin)) throw new Error('The row has no nodes.')
  const last = lineage.origin.node_ids.at(-1)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download data-00001.jsonl.gz' }).click()
  const file = join(folder, 'downloaded.jsonl.gz')
  await (await download).saveAs(file)
  const text = gunzipSync(await readFile(file)).toString('utf8')
  expect(JSON.parse(text.split('\n')[0] ?? '')).toEqual(preview?.data)

  await row.locator(`a[href$="node=${last}"]`).first().click()
  await page.waitForURL(/\/episodes\/ep-\d+\?node=/)
  await page.getByRole('complementary', { name: `Node ${last}` }).waitFor()
})
