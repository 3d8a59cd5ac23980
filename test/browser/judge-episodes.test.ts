import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChromium, openPage } from './open-page.ts'
import { serveExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

const idPattern = /^ep-\d+$/

async function shownEpisode(page: Page): Promise<string> {
  return (
    (await page.getByRole('complementary', { name: 'Judgement' }).getByText(idPattern).textContent()) ?? ''
  )
}

test('by keys alone a person judges steps and episodes, skips, takes back, and finds all of it at the service', async () => {
  const { address, client, examples } = await serveExamples()
  const run = examples.mcts
  const { page } = await openPage(browser, address)
  const main = page.getByRole('main')
  await page.goto(`/runs/${run}`)
  await main.getByRole('button', { name: 'Actions', exact: true }).focus()
  await page.keyboard.press('Enter')
  const link = main.getByRole('link', { name: 'Judge episodes' })
  await link.focus()
  await page.keyboard.press('Enter')
  await main.getByRole('heading', { level: 1, name: 'Judge episodes' }).waitFor()
  await main.getByText('0 of 20 episodes judged by operator').waitFor()
  const first = await shownEpisode(page)

  // The second step, then the episode, with a note.
  await main.getByText('Step 2', { exact: true }).waitFor()
  for (const key of ['j', 'j', 'l']) await page.keyboard.press(key)
  await main.getByRole('heading', { name: 'helpful of step 2' }).waitFor()
  await page.keyboard.press('n')
  await main.getByText('operator: bad (0.00)').waitFor()
  await main.getByRole('heading', { name: 'helpful of the episode' }).waitFor()
  await page.keyboard.press('m')
  await page.keyboard.type('yes, no detours')
  await page.keyboard.press('Escape')
  await page.keyboard.press('y')
  await main.getByText('1 of 20 episodes judged by operator').waitFor()
  await expect.poll(() => shownEpisode(page)).not.toBe(first)
  const stored = (await client.judgements(run, { episode: first })).data
  const { nodes, best } = await client.tree(run, first)
  const path: number[] = []
  for (let node: number | null | undefined = best; typeof node === 'number'; node = nodes[node]?.parent)
    path.push(node)
  expect(stored.map(({ node, note, value }) => ({ node, note, value }))).toEqual([
    { node: null, note: 'yes, no detours', value: 1 },
    { node: path.reverse()[2], note: null, value: 0 },
  ])

  // The next is skipped, the one behind it judged and taken back.
  const second = await shownEpisode(page)
  await page.keyboard.press('s')
  await expect.poll(() => shownEpisode(page)).not.toBe(second)
  const third = await shownEpisode(page)
  await page.keyboard.press('0')
  await main.getByText('2 of 20 episodes judged by operator').waitFor()
  await expect.poll(() => shownEpisode(page)).not.toBe(third)
  await page.keyboard.press('u')
  await main.getByText('1 of 20 episodes judged by operator').waitFor()
  await expect.poll(() => shownEpisode(page)).toBe(third)
  expect((await client.judgements(run, { episode: third })).data).toEqual([])

  // A judgement that is given anew goes back to what it was before.
  await page.goto(`/runs/${run}/label?name=helpful&episode=${first}`)
  await main.getByText('operator: good (1.00)').waitFor()
  expect(await main.getByLabel('Note on the episode').inputValue()).toBe('yes, no detours')
  await page.keyboard.press('0')
  await main.getByText(`Stored: ${first} helpful bad (0.00)`).waitFor()
  await page.keyboard.press('u')
  await main.getByText('operator: good (1.00)').waitFor()

  await page.goto(`/runs/${run}/episodes/${first}`)
  const judgements = main.getByRole('region', { name: 'Judgements' })
  await judgements.getByText('“yes, no detours”').waitFor()
  expect(await judgements.getByRole('listitem').count()).toBe(2)
  await judgements.getByRole('link', { name: 'Judge it' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => shownEpisode(page)).toBe(first)
})

test('a judgement that cannot be stored is said so, and stays on the page with its note until it is', async () => {
  const { address, client, examples } = await serveExamples()
  const { page } = await openPage(browser, address, { expected: [/status of 500/] })
  const main = page.getByRole('main')
  let isBroken = true
  await page.route('**/judgements/**', (route) =>
    isBroken
      ? route.fulfill({ status: 500, json: { error: { type: 'server_error', message: 'No luck.' } } })
      : route.continue(),
  )
  await page.goto(`/runs/${examples.react}/label?name=clear&by=ada&scale=graded`)
  await main.getByText('0 of 20 episodes judged by ada').waitFor()
  const shown = await shownEpisode(page)
  await page.keyboard.press('m')
  await page.keyboard.type('4 of 5')
  await page.keyboard.press('Escape')
  await page.keyboard.press('4')
  await main.getByRole('alert').getByText('No luck.').waitFor({ timeout: 60_000 })
  expect(await shownEpisode(page)).toBe(shown)
  expect(await main.getByLabel('Note on the episode').inputValue()).toBe('4 of 5')
  await main.getByText('0 of 20 episodes judged by ada').waitFor()
  isBroken = false
  await page.keyboard.press('4')
  await main.getByText('1 of 20 episodes judged by ada').waitFor()
  expect(await main.getByRole('alert').count()).toBe(0)
  expect((await client.judgements(examples.react)).data).toMatchObject([
    { episode: shown, name: 'clear', value: 0.75, note: '4 of 5', by: { kind: 'person', name: 'ada' } },
  ])
})

test('keys that are pressed faster than episodes come judge no episode twice', async () => {
  const { address, client, examples } = await serveExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.react}/label`)
  await settle(page)
  for (let at = 0; at < 12; at += 1) await page.keyboard.press(at % 2 === 0 ? 'y' : 'n')
  await settle(page)
  const main = page.getByRole('main')
  const judged = (await client.judgements(examples.react, { limit: 100 })).data
  await main.getByText(`${judged.length} of 20 episodes judged`).waitFor()
  const sent = await page.evaluate(
    'performance.getEntriesByType("resource").filter(({ name }) => name.includes("/judgements/")).length',
  )
  expect(judged.length).toBe(sent)
})

test('a key that comes with the next episode judges that one, and not the one before', async () => {
  const { address, client, examples } = await serveExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.react}/label`)
  const main = page.getByRole('main')
  await main.getByText('0 of 20 episodes judged').waitFor()
  const first = await shownEpisode(page)
  // An observer runs in the task of the change itself, before effects that React delays.
  await page.evaluate(`{
    const panel = () => document.querySelector('main aside').innerText
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    new MutationObserver((_, observer) => {
      if (panel().includes('${first}')) return
      observer.disconnect()
      press('n')
    }).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true })
  }`)
  await page.keyboard.press('s')
  await main.getByText('1 of 20 episodes judged').waitFor()
  await expect.poll(() => shownEpisode(page)).not.toBe(first)
  const second = (await client.judgements(examples.react)).data.map(({ episode }) => episode)
  expect(second).not.toContain(first)
})

test('a judgement can be taken back as soon as it is shown as stored, before the next episode comes', async () => {
  const { address, client, examples } = await serveExamples()
  const { page } = await openPage(browser, address)
  const main = page.getByRole('main')
  const [{ id: first } = { id: '' }] = (await client.episodes(examples.react, {})).data
  await page.goto(`/runs/${examples.react}/label?episode=${first}`)
  await main.getByText('0 of 20 episodes judged').waitFor()
  await page.evaluate(`new MutationObserver((_, observer) => {
    if (!document.querySelector('main').innerText.includes('Stored: ${first}')) return
    observer.disconnect()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'u', bubbles: true }))
  }).observe(document.querySelector('main'), { subtree: true, childList: true, characterData: true })`)
  const takenBack = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.keyboard.press('y')
  await takenBack
  await expect.poll(async () => (await client.judgements(examples.react)).data.length).toBe(0)
  await main.getByText('Nothing is judged here yet.').waitFor()
  await expect.poll(() => shownEpisode(page)).toBe(first)
})

test('rewards stay hidden until an episode is judged, and the last one leads to the end of the queue', async () => {
  const { address, client, examples } = await serveExamples()
  const failed = (await client.episodes(examples.react, { status: 'failed', limit: 100 })).data
  const { page } = await openPage(browser, address)
  const main = page.getByRole('main')
  await page.goto(`/runs/${examples.react}/label?blind=1&outcome=failed`)
  await main.getByText(`0 of ${failed.length} episode`).waitFor()
  await settle(page)
  const panel = page.getByRole('complementary', { name: 'Judgement' })
  expect(await panel.getByText('hidden', { exact: true }).count()).toBe(2)
  expect(await main.getByText(/reward [\d.]+|task ended/).count()).toBe(0)
  const first = await shownEpisode(page)
  for (let at = 0; at < failed.length; at += 1) {
    const shown = await shownEpisode(page)
    await page.keyboard.press('1')
    await main.getByText(`Stored: ${shown} helpful`).waitFor()
    if (at + 1 < failed.length) await expect.poll(() => shownEpisode(page)).not.toBe(shown)
  }
  await main.getByRole('heading', { name: 'All of them are judged' }).waitFor()
  await page.goto(`/runs/${examples.react}/label?blind=1&episode=${first}`)
  await panel.getByText('not solved', { exact: true }).waitFor()
})
