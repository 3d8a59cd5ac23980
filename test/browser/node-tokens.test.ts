import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countOf } from '../../web/format/count-of.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openTokenServer } from '../support/token-server.ts'
import { connectChromium, openPage } from './open-page.ts'
import { serveFolder } from './serve-folder.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

test('the panel of a node shows the verdict and every token of its calls, as the server gave them', async () => {
  const server = await openTokenServer('vllm')
  const folder = await temporaryFolder()
  const lab = { kind: 'openai', base_url: server.base, tokens: 'vllm' }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { lab } }))
  const { address, client } = await serveFolder(folder)
  const { id } = await client.createRun(
    {
      environment: 'textcraft',
      tasks: { split: 'test', limit: 1 },
      method: { id: 'react' },
      model: { endpoint: 'lab', id: 'player' },
      record: 'tokens',
    },
    'recorded',
  )
  await expect.poll(async () => (await client.run(id)).ended_at).not.toBeNull()
  const { data } = await client.episodes(id, { limit: 1 })
  const episode = data[0]?.id ?? ''
  const { calls } = await client.tokens(id, episode)
  const call = calls.find(({ node }) => node === 1)
  const answer = call?.answers[0]
  expect(answer?.ids?.length).toBeGreaterThan(3)

  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${id}/episodes/${episode}?node=1`)
  const panel = page.getByRole('complementary', { name: 'Node 1' })
  await panel.getByRole('heading', { name: 'Tokens', exact: true }).click()
  const prompt = countOf(call?.prompt_ids?.length ?? 0, 'prompt token')
  await panel.getByText(`${prompt} · vllm · continuous`).waitFor()
  await panel.getByRole('heading', { name: 'Answer 1', exact: true }).click()
  const rows = panel.getByRole('region', { name: 'Tokens of answer 1' }).getByRole('row')
  await expect.poll(() => rows.locator('td:nth-child(2)').allTextContents()).toEqual(answer?.ids?.map(String))
  expect(await rows.getByText('unknown').count()).toBe(0)
})
