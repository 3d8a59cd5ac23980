import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { attacks } from './hostile-environment.ts'
import { connectChromium, openPage } from './open-page.ts'
import { serveFolder } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

test('what an environment, an agent and a user wrote is shown as text, and nothing of it happens', async () => {
  const folder = await temporaryFolder()
  const file = join(import.meta.dirname, 'hostile-environment.ts')
  const environments = { hostile: { kind: 'module', file } }
  await writeFile(join(folder, 'environments.json'), JSON.stringify({ environments }))
  const { address, client } = await serveFolder(folder)
  const model = { endpoint: 'simulated', id: 'simulated' }
  const name = `run ${attacks.image} \u202eeman`
  const request = { environment: 'hostile', model, tasks: { split: 'train' } }
  const searched = await client.createRun(
    { ...request, name, method: { id: 'mcts', iterations: 2, samples: 2 } },
    'mcts',
  )
  const played = await client.createRun(
    { ...request, name: attacks.script, method: { id: 'react' } },
    'react',
  )
  for (const run of [searched, played]) {
    await expect.poll(async () => (await client.run(run.id)).status).toBe('succeeded')
  }
  const dataset = await client.createDataset(
    { runs: [searched.id], kind: 'sft', format: 'openai', name: `${attacks.vector} \u202eeman` },
    'dataset',
  )
  await expect.poll(async () => (await client.dataset(dataset.id)).status).toBe('succeeded')
  const [episode] = (await client.episodes(searched.id, { limit: 1 })).data
  const [other] = (await client.episodes(played.id, { limit: 1 })).data
  await client.putJudgement(
    [searched.id, episode?.id ?? '', 'helpful'],
    { value: 1, note: `${attacks.image} \u202eeman` },
    { by: `ada \u202e${attacks.vector.slice(0, 60)}` },
  )
  const tree = `/runs/${searched.id}/episodes/${episode?.id}`

  const { page } = await openPage(browser, address)
  const shown: Record<string, string> = {
    '/runs': attacks.image,
    [`/runs/new?from=${searched.id}`]: '',
    [`/runs/${searched.id}`]: attacks.image,
    [`/runs/${searched.id}/label?again=1&episode=${episode?.id}`]: attacks.image,
    [`/runs/${searched.id}/label?by=${encodeURIComponent(`ada \u202e${attacks.frame.slice(0, 40)}`)}`]: '',
    [`/compare/episodes?left=${searched.id}/${episode?.id}&right=${played.id}/${other?.id}`]: attacks.image,
    [tree]: attacks.image,
    [`${tree}?node=0`]: attacks.script,
    [`${tree}?node=1`]: attacks.frame,
    [`${tree}?view=outline`]: 'javascript:window.sentinel',
    [`${tree}?view=conversation`]: attacks.script,
    [`/compare?runs=${searched.id},${played.id}`]: attacks.image,
    '/search?q=sentinel': attacks.script,
    '/datasets': attacks.vector,
    [`/datasets/new?runs=${searched.id}`]: '',
    [`/datasets/${dataset.id}`]: attacks.script,
  }
  for (const [path, text] of Object.entries(shown)) {
    await page.goto(path)
    await settle(page)
    if (text !== '') await expectShown(page, path, text)
    await expectHarmless(page, path)
  }

  // Equal steps show their texts when they are opened.
  await page.goto(`/compare/episodes?left=${searched.id}/${episode?.id}&right=${searched.id}/${episode?.id}`)
  await settle(page)
  for (const row of await page.locator('main ol > li > details > summary').all()) await row.click()
  await expectShown(page, 'the opened steps', attacks.frame)
  await expectHarmless(page, 'the opened steps')
})

async function expectShown(page: Page, path: string, text: string): Promise<void> {
  await expect
    .poll(async () => (await page.getByRole('main').innerText()).includes(text), {
      message: `${text} is shown on ${path}`,
      timeout: 60_000,
    })
    .toBe(true)
}

/** Nothing of it became an element, and nothing invisible stands in what is shown. */
async function expectHarmless(page: Page, path: string): Promise<void> {
  const found = await page.evaluate(`({
    sentinel: window.sentinel ?? null,
    elements: document.querySelectorAll('main iframe, main script, main style, main img[src="x"], main link, main [onerror], main [onload]').length,
    links: [...document.querySelectorAll('[href], [src]')].map((element) => element.getAttribute('href') ?? element.getAttribute('src')).filter((address) => /^\\s*(javascript|data):/i.test(address)),
    hidden: /[\\u0000\\u001b\\u200b\\u202a-\\u202e\\u2066-\\u2069]/.test(document.querySelector('main').innerText),
    title: /[\\u0000\\u001b\\u202a-\\u202e]/.test(document.title),
  })`)
  expect(found, path).toEqual({ sentinel: null, elements: 0, links: [], hidden: false, title: false })
}
