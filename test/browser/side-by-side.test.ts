import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChromium, openPage } from './open-page.ts'
import { sharedExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

test('from a task that was won, both trajectories stand side by side, and keys go from difference to difference', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  const main = page.getByRole('main')
  await page.goto(`/compare?runs=${examples.react},${examples.mcts}`)
  await main.getByRole('button', { name: /^Show tasks/ }).click()
  await main.locator('details summary').first().click()
  await main.getByRole('link', { name: 'Side by side' }).click()
  await page.waitForURL(/\/compare\/episodes\?left=/)
  await main.getByRole('heading', { level: 1, name: 'Trajectories side by side' }).waitFor()
  await settle(page)
  const left = main.getByRole('region', { name: 'Left', exact: true })
  const right = main.getByRole('region', { name: 'Right', exact: true })
  await left.getByText('react', { exact: true }).waitFor()
  await right.getByText('mcts', { exact: true }).waitFor()

  const bar = main.getByRole('status')
  const count = Number(/^(\d+)\s+differences?$/.exec((await bar.textContent()) ?? '')?.[1])
  expect(count).toBeGreaterThan(0)
  const current = main.locator('li[aria-current=true]')
  await page.keyboard.press('n')
  await main.getByText(`Difference 1 of ${count}`).waitFor()
  await expect.poll(() => current.evaluate((row) => row === row.ownerDocument.activeElement)).toBe(true)
  for (let at = 1; at < count; at += 1) await page.keyboard.press('n')
  await main.getByText(`Difference ${count} of ${count}`).waitFor()
  // There is none behind the last.
  await page.keyboard.press('n')
  await main.getByText(`Difference ${count} of ${count}`).waitFor()
  await page.keyboard.press('p')
  await main.getByText(`Difference ${count - 1} of ${count}`).waitFor()
  expect(await main.locator('mark').count()).toBeGreaterThan(0)

  // A reload shows the same; swapped, the sides change places.
  await page.reload()
  await left.getByText('react', { exact: true }).waitFor()
  await main.getByRole('button', { name: 'Swap sides' }).click()
  await left.getByText('mcts', { exact: true }).waitFor()
})

test('every step of both paths is there once, and an episode beside itself has no difference', async () => {
  const { address, client, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  const main = page.getByRole('main')
  const [plain] = (await client.episodes(examples.react, { limit: 1 })).data
  const [searched] = (await client.episodes(examples.mcts, { limit: 1 })).data
  await page.goto(
    `/compare/episodes?left=${examples.react}/${plain?.id}&right=${examples.mcts}/${searched?.id}`,
  )
  await settle(page)
  for (const row of await main.locator('ol > li > details').all())
    await row.locator('summary').first().click()
  for (const [side, episode] of [
    ['Left', plain],
    ['Right', searched],
  ] as const) {
    const heads = main.getByText(new RegExp(`^${side}, step \\d+$`))
    const { path_length } = episode?.result ?? { path_length: -1 }
    // An opened row draws its steps only after its toggle event.
    await expect
      .poll(() => heads.allTextContents())
      .toEqual(Array.from({ length: path_length }, (_, at) => `${side}, step ${at + 1}`))
  }

  const own = `${examples.mcts}/${searched?.id}`
  await page.goto(`/compare/episodes?left=${own}&right=${own}`)
  await main.getByText('Both trajectories are the same.').waitFor()
  expect(await main.locator('mark').count()).toBe(0)
  expect(await main.getByRole('button', { name: /^Next/ }).isDisabled()).toBe(true)
})

test('an episode’s page leads to a choice of the other, by run and task', async () => {
  const { address, client, examples } = sharedExamples()
  const [plain] = (await client.episodes(examples.react, { limit: 1 })).data
  const { page } = await openPage(browser, address)
  const main = page.getByRole('main')
  await page.goto(`/runs/${examples.react}/episodes/${plain?.id}`)
  await main.getByRole('link', { name: 'Compare with…' }).click()
  await main.getByText('One episode is chosen').waitFor()
  await main.getByRole('button', { name: /^Choose an episode/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Episode on the right' })
  const choices = dialog.getByRole('button', { name: /^Choose ep-/ })
  await choices.first().waitFor()
  const answer = Promise.withResolvers<void>()
  await page.route(`**/v1/runs/${examples.mcts}/episodes?**`, async (route) => {
    await answer.promise
    await route.continue()
  })
  const asked = page.waitForRequest(`**/v1/runs/${examples.mcts}/episodes?**`)
  await dialog.getByLabel('Run', { exact: true }).selectOption(examples.mcts)
  await asked
  // Until the chosen run answers, no episode of the earlier one is offered as its own.
  await dialog.getByText('Searching …').waitFor()
  expect(await choices.count()).toBe(0)
  answer.resolve()
  expect(await dialog.getByLabel('Task', { exact: true }).inputValue()).toBe(plain?.task)
  await dialog.getByRole('button', { name: /^Choose ep-/ }).click()
  await page.waitForURL(/&right=/)
  await dialog.waitFor({ state: 'hidden' })
  expect(new URL(page.url()).searchParams.get('right')).toMatch(new RegExp(`^${examples.mcts}/ep-`))
  await main
    .getByText(/difference/)
    .first()
    .waitFor()

  // Another task is chosen all the same, and said to be another.
  await main.getByRole('button', { name: /^Choose another episode for the left/ }).click()
  const left = page.getByRole('dialog', { name: 'Episode on the left' })
  await left.getByLabel('Task', { exact: true }).fill('')
  const other = left.getByRole('button', { name: /^Choose ep-/ }).nth(3)
  await other.click()
  await main.getByText('These episodes are of different tasks').waitFor()
})

test('a side that is not there is said to be missing on that side, and the other is shown', async () => {
  const { address, client, examples } = sharedExamples()
  const [plain] = (await client.episodes(examples.react, { limit: 1 })).data
  const { page } = await openPage(browser, address, { expected: [/status of 404/] })
  const main = page.getByRole('main')
  await page.goto(`/compare/episodes?left=${examples.react}/${plain?.id}&right=${examples.mcts}/ep-9999999`)
  await main.getByRole('region', { name: 'Right', exact: true }).getByText('ep-9999999').first().waitFor()
  await main.getByRole('region', { name: 'Left', exact: true }).getByText('react', { exact: true }).waitFor()
  await main.getByRole('button', { name: 'Choose another episode for the right' }).waitFor()
})
