import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { followRun } from '../../cli/follow-run.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { connectChromium, openPage } from './open-page.ts'
import { type Served, serveFolder } from './serve-folder.ts'

const model = { endpoint: 'simulated', id: 'simulated' }

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

async function play({ client }: Served, request: RunRequestInput): Promise<string> {
  const { id } = await client.createRun(request, 'played')
  const run = await followRun(client, id, { signal: new AbortController().signal, onProgress: () => {} })
  expect(run).toMatchObject({ status: 'succeeded', episodes: { errored: 0 } })
  return id
}

test('results, waterfall, tree and merged graph show a run of WebShop', async () => {
  const served = await serveFolder(await temporaryFolder())
  const id = await play(served, {
    name: 'shopping',
    environment: 'webshop',
    method: { id: 'mcts', iterations: 3, samples: 2 },
    tasks: { split: 'test', limit: 4 },
    epochs: 2,
    model,
  })
  const { data } = await served.client.episodes(id, { limit: 8 })
  const [episode] = data
  const { page } = await openPage(browser, served.address)

  await page.goto(`/runs/${id}`)
  await page.getByRole('heading', { name: 'Results' }).waitFor()
  await page.getByRole('heading', { name: 'Rewards and steps' }).waitFor()

  await page.goto(`/runs/${id}/episodes/${episode?.id}`)
  const tree = await served.client.tree(id, episode?.id ?? '')
  const map = page.getByRole('application', { name: new RegExp(`with ${tree.nodes.length} nodes`) })
  await map.focus()
  await page.keyboard.press('Home')
  await page.getByRole('complementary', { name: 'Root' }).waitFor()
  await page.getByRole('tab', { name: 'Waterfall' }).press('Enter')
  await page.getByRole('application', { name: /^Waterfall with/ }).waitFor()

  await page.goto(`/graph?${new URLSearchParams({ runs: id, task: episode?.task ?? '' })}`)
  await page.getByRole('application', { name: /^Map of the merged graph/ }).waitFor()
})

test('keys alone walk a search of 2,000 nodes, in its map and its outline', async () => {
  const served = await serveFolder(await temporaryFolder())
  const id = await play(served, {
    name: 'large tree',
    environment: 'textcraft',
    method: { id: 'mcts', iterations: 160, samples: 6 },
    tasks: { split: 'test', limit: 1 },
    model,
  })
  const { data } = await served.client.episodes(id, { limit: 1 })
  const episode = data[0]?.id ?? ''
  const { nodes } = await served.client.tree(id, episode)
  expect(nodes.length).toBeGreaterThan(2000)

  const { page } = await openPage(browser, served.address)
  await page.goto(`/runs/${id}/episodes/${episode}`)
  const map = page.getByRole('application', { name: new RegExp(`with ${nodes.length} nodes`) })
  await map.focus()
  await page.keyboard.press('Home')
  await page.getByRole('complementary', { name: 'Root' }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('complementary', { name: /^Node \d+$/ }).waitFor()

  await page.getByRole('tab', { name: 'Outline' }).press('Enter')
  await page.getByRole('tree', { name: 'Nodes of the tree' }).press('End')
  await page.getByRole('tab', { name: 'Waterfall' }).press('Enter')
  await page.getByRole('application', { name: /^Waterfall with/ }).waitFor()
})
