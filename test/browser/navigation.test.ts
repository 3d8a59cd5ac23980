import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChromium, openPage } from './open-page.ts'
import { sharedExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

function paletteOf(page: Page) {
  const dialog = page.getByRole('dialog', { name: 'Go to' })
  return { dialog, field: dialog.getByRole('combobox'), options: dialog.getByRole('option') }
}

test('Ctrl-K finds a page, a run by its name, an episode by its number, and an action, without a click', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/guide')
  await settle(page)
  const { dialog, field, options } = paletteOf(page)
  const go = async (text: string, option: RegExp) => {
    await page.keyboard.press('Control+k')
    await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('combobox')
    await field.fill(text)
    await options.filter({ hasText: option }).first().waitFor()
    while (!option.test((await dialog.locator('[aria-selected=true]').textContent()) ?? ''))
      await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
  }
  await go('leader', /Leaderboard/)
  await page.getByRole('heading', { level: 1, name: 'Leaderboard' }).waitFor()
  await go('mcts by', /mcts by rewards/)
  await page.getByRole('heading', { level: 1, name: 'mcts by rewards' }).waitFor()
  await go('3', /ep-0000003/)
  await expect.poll(() => page.url()).toContain(`/runs/${examples.mcts}/episodes/ep-0000003`)
  await go('build', /Build a dataset/)
  await page.getByRole('heading', { level: 1, name: 'New dataset' }).waitFor()
  expect(page.url()).toContain(examples.mcts)
})

test('g and a letter open a group, / the search field, and ? the keys', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/runs')
  await settle(page)
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await page.getByRole('heading', { level: 1, name: 'Datasets' }).waitFor()
  expect(
    await page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=true]').textContent(),
  ).toBe('Data')
  await page
    .getByRole('navigation', { name: 'Pages of Data' })
    .getByRole('link', { name: 'Memories' })
    .click()
  await page.getByRole('heading', { level: 1, name: 'Memories' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('r')
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
  await page.keyboard.press('/')
  await expect.poll(() => page.evaluate('document.activeElement?.type')).toBe('search')
  // A letter that is typed is no key.
  await page.keyboard.type('g')
  await page.keyboard.press('Escape')
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
})

test('the keys of a tree need no click', async () => {
  const { address, client, examples } = sharedExamples()
  const [episode] = (await client.episodes(examples.mcts, { limit: 1 })).data
  const tree = await client.tree(examples.mcts, episode?.id ?? '')
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.mcts}/episodes/${episode?.id}`)
  await settle(page)
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
  await page.keyboard.press('b')
  await expect.poll(() => new URL(page.url()).searchParams.get('node')).toBe(String(tree.best))
  await page.keyboard.press('?')
  await page.getByRole('table').getByText('to the answer').waitFor()
})

test('a link that is followed right after typing leads to its page, however slowly that loads', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  for (const [path, role, name] of [
    [`/runs/${examples.mcts}`, 'searchbox', 'Task'],
    ['/runs/new', 'textbox', 'Name of the run'],
    ['/guide', 'searchbox', 'Search the guide'],
  ] as const) {
    await page.goto(path)
    await settle(page)
    const { promise: mayLoad, resolve: load } = Promise.withResolvers<void>()
    await page.route(/compare-page.*\.js/, async (route) => {
      await mayLoad
      await route.continue()
    })
    // In the task of the last letter, before the page writes it into its address.
    await page.evaluate(
      `addEventListener('input', () => document.querySelector('nav a[href="/compare"]').click(), { once: true })`,
    )
    await page.getByRole(role, { name, exact: true }).fill('textcraft')
    // A timer of the page fires after those that began earlier and are shorter.
    await page.evaluate('new Promise((done) => setTimeout(done, 1000))')
    load()
    await page.getByRole('heading', { level: 1, name: 'Compare' }).waitFor()
    expect(page.url(), path).toBe(`${address}/compare`)
    await page.unroute(/compare-page.*\.js/)
  }
})

test('every group is in sight at each width', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/models')
  await settle(page)
  for (const width of [1440, 820, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const menu of ['Main', 'Pages of Models']) {
      for (const link of await page.getByRole('navigation', { name: menu }).getByRole('link').all()) {
        const box = await link.boundingBox()
        expect(box, `${menu} at ${width}`).not.toBeNull()
        expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= width).toBe(true)
      }
    }
  }
})
