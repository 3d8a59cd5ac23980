import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChromium, openPage } from './open-page.ts'
import { type SharedExamples, serveExamples, sharedExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

async function openEpisode(expected: readonly RegExp[] = [], served: SharedExamples = sharedExamples()) {
  const { address, client, examples } = served
  const { data } = await client.episodes(examples.mcts, { status: 'succeeded', limit: 1 })
  const id = data[0]?.id ?? ''
  const path = `/runs/${examples.mcts}/episodes/${id}`
  const tree = await client.tree(examples.mcts, id)
  return { ...(await openPage(browser, address, { expected })), client, examples, path, tree }
}

test('a step whose growth cannot be loaded is not passed off as the whole tree, and nothing moves when it comes', async () => {
  const { page, path } = await openEpisode([/status of 500/])
  let isBroken = true
  await page.route('**/growth', (route) =>
    isBroken ? route.fulfill({ status: 500, json: { error: { message: 'No luck.' } } }) : route.continue(),
  )
  await page.goto(`${path}?step=2`)
  const scrubber = page.getByRole('region', { name: 'How the search grew' })
  await scrubber.getByText('This is the whole tree, not step 2.').waitFor()
  const again = scrubber.getByRole('button', { name: 'Try again' })
  await again.waitFor({ timeout: 60_000 })
  const place = () =>
    page.evaluate(`((scrubber) => [scrubber.offsetTop, scrubber.offsetHeight])(
    document.querySelector('[aria-label="How the search grew"]'))`)
  const before = await place()
  isBroken = false
  await again.click()
  await scrubber.getByText(/^step 2 of \d/).waitFor()
  expect(await place()).toEqual(before)
})

test('the conversation shows the path to the final answer, whatever step is replayed', async () => {
  const { page, path, tree } = await openEpisode()
  await page.goto(`${path}?view=conversation&step=0`)
  await page.getByRole('button', { name: `node ${tree.best}`, exact: true }).waitFor()
})

test('a node that the tree does not have, or not yet, is said to be missing in every view that would show it', async () => {
  const { page, path, tree } = await openEpisode()
  for (const view of ['map', 'outline', 'conversation']) {
    await page.goto(`${path}?view=${view}&node=99999999`)
    await page.getByText('There is no node 99999999').waitFor()
  }
  const last = tree.nodes.length - 1
  await page.goto(`${path}?step=1&node=${last}`)
  await page.getByText(`Node ${last} is not there yet at this step.`).waitFor()
})

test('an ended search opens with its answer, until another node or none is chosen', async () => {
  const { page, path, tree } = await openEpisode()
  await page.goto(path)
  await page.getByRole('complementary', { name: `Node ${tree.best}`, exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  await page.getByRole('application', { name: /Map of the tree/ }).press('Escape')
  await page.getByText('No node is chosen').waitFor()
  await page.getByRole('button', { name: 'Go to the answer' }).click()
  await page.waitForURL(new RegExp(`[?&]node=${tree.best}`))
})

test('going back to a node that was chosen here shows it again', async () => {
  const { page, path } = await openEpisode()
  await page.goto(path)
  await settle(page)
  await page.getByRole('application', { name: /Map of the tree/ }).press('Home')
  await page.waitForURL(/[?&]node=0/)
  await page.evaluate("history.pushState(null, '', '?node=2'); dispatchEvent(new PopStateEvent('popstate'))")
  await page.getByRole('complementary', { name: 'Node 2' }).waitFor()
  await page.goBack()
  await page.getByRole('complementary', { name: 'Root' }).waitFor()
})

test('an episode of a paused run says so, and is asked for no more until the run goes on', async () => {
  const { page, client, examples } = await openEpisode([], await serveExamples())
  const held = (await client.episodes(examples.capped, { limit: 6 })).data.find(({ starts }) => starts > 0)
  await page.goto(`/runs/${examples.capped}/episodes/${held?.id}`)
  const main = page.getByRole('main')
  await main.getByText('is paused: nothing happens here until that is resumed.').waitFor()
  await main.getByText('held', { exact: true }).waitFor()
  await settle(page)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.waitForTimeout(5000)
  expect(asked.filter((url) => url.includes('/episodes/'))).toEqual([])

  await client.changeRun(examples.capped, 'resume', { limits: { tokens: 9_000_000 } })
  // Its badge, and the note below its reward.
  await main
    .getByText(/^(solved|not solved)$/)
    .first()
    .waitFor({ timeout: 60_000 })
  expect(await main.getByText('is paused').count()).toBe(0)
})
