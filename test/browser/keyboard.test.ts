import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectChromium, openPage } from './open-page.ts'
import { sharedExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

/** What has the focus, as a screen reader would call it. */
async function focused(page: Page): Promise<string> {
  return String(
    await page.evaluate(
      "(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()",
    ),
  )
}

async function nodeInAddress(page: Page): Promise<number | null> {
  const node = new URL(page.url()).searchParams.get('node')
  return node === null ? null : Number(node)
}

test('a page that a link opened has the focus that went with the link, and a redirected one does not', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/')
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
  await page.getByRole('link', { name: 'mcts by rewards' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'mcts by rewards' }).waitFor()
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('page')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Runs')
})

test('past the head of the page, through a dialog and along the list, with the focus always in sight', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/runs')
  await settle(page)
  // The first key offers the way past the head.
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to the page')
  expect(await page.getByRole('link', { name: 'Skip to the page' }).isVisible()).toBe(true)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const inPage = "document.getElementById('page').contains(document.activeElement)"
  await expect.poll(() => page.evaluate(inPage)).toBe(true)

  // A dialog takes the focus, keeps it, closes by Escape, and gives it back.
  const opener = page.getByRole('button', { name: /^API key: none/ })
  await opener.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'API key' })
  await dialog.waitFor()
  const outside =
    "document.activeElement !== document.body && !document.querySelector('dialog[open]').contains(document.activeElement)"
  for (let presses = 0; presses < 8; presses += 1) {
    expect(await page.evaluate(outside)).toBe(false)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await focused(page)).toMatch(/^API key: none/)

  // To the last run of the list and not beyond it: there the browser takes the focus.
  for (let presses = 0; presses < 16; presses += 1) {
    await page.keyboard.press('Tab')
    const style = (await page.evaluate(`(() => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement)
      return { outline: outlineStyle !== 'none' && parseFloat(outlineWidth) > 0, shadow: boxShadow !== 'none' }
    })()`)) as { outline: boolean; shadow: boolean }
    expect(style.outline || style.shadow, await focused(page)).toBe(true)
  }
})

test('a run that is removed from a comparison, or made its first, leaves the focus in the table', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/compare?runs=${examples.react},${examples.mcts},${examples.debate}`)
  await settle(page)
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  // The focus moves in the task that removes the row.
  await page.evaluate(`(() => {
    window.lost = 0
    const note = () => { window.lost += Number(document.activeElement === document.body) }
    new MutationObserver(note).observe(document.querySelector('main tbody'), { childList: true })
  })()`)
  await press('Make mcts with a debate the baseline')
  await expect.poll(() => focused(page)).toBe('mcts with a debate')
  await press('Remove react, the baseline')
  await expect.poll(() => focused(page)).toBe('Remove mcts by rewards')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Remove mcts with a debate')
  expect(await page.evaluate('window.lost')).toBe(0)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No runs are chosen' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Add a run')

  // One that is added keeps the focus in the dialog, so that the next is a Tab away.
  await page.goto(`/compare?runs=${examples.mcts}`)
  await page.getByRole('button', { name: 'Add a run' }).first().click()
  await press(`Add: react, the baseline, ${examples.react}`)
  await expect.poll(() => focused(page)).toBe(`Added: react, the baseline, ${examples.react}`)
})

describe('in a tree', () => {
  async function openTree(view: string) {
    const { address, client, examples } = sharedExamples()
    const [episode] = (await client.episodes(examples.mcts, { limit: 1 })).data
    const tree = await client.tree(examples.mcts, episode?.id ?? '')
    const { page } = await openPage(browser, address)
    await page.goto(`/runs/${examples.mcts}/episodes/${episode?.id}?view=${view}`)
    await settle(page)
    return { page, tree }
  }

  test('the map is walked by arrows, and says where it is', async () => {
    const { page, tree } = await openTree('map')
    const map = page.getByRole('application', { name: /Map of the tree/ })
    await map.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => nodeInAddress(page)).toBe(0)
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => tree.nodes[(await nodeInAddress(page)) ?? 0]?.parent).toBe(0)
    const child = await nodeInAddress(page)
    await page
      .getByText(new RegExp(`^Node ${child}: `))
      .first()
      .waitFor()
    const siblings = tree.nodes.flatMap(({ parent }, index) => (parent === 0 ? [index] : []))
    await page.keyboard.press(child === siblings.at(-1) ? 'ArrowUp' : 'ArrowDown')
    await expect.poll(() => nodeInAddress(page)).not.toBe(child)
    expect(siblings).toContain(await nodeInAddress(page))
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => nodeInAddress(page)).toBe(0)
    await page.keyboard.press('b')
    await expect.poll(() => nodeInAddress(page)).toBe(tree.best)

    // The focus stays in the explorer: it follows into the panel and from node to node there, and comes back from it.
    const role = 'document.activeElement?.getAttribute("role") ?? document.activeElement?.tagName'
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate(role)).toBe('ASIDE')
    await page.getByRole('button', { name: /^parent / }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => nodeInAddress(page)).toBe(tree.nodes[tree.best ?? 0]?.parent)
    await expect.poll(() => page.evaluate(role)).toBe('ASIDE')
    const panel = page.getByRole('complementary', { name: /^(Root|Node \d+)$/ })
    await panel.getByRole('button', { name: /^Close the panel/ }).focus()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    await expect.poll(() => page.evaluate(role)).toBe('application')

    await page.keyboard.press('?')
    const keys = page.getByRole('dialog')
    await keys.waitFor()
    await page.keyboard.press('Escape')
    await keys.waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await expect.poll(() => page.evaluate('document.activeElement?.type')).toBe('search')
  })

  test('the outline is a tree to the keyboard and to a screen reader', async () => {
    const { page, tree } = await openTree('outline')
    const outline = page.getByRole('tree')
    await outline.getByRole('treeitem').first().waitFor()
    await outline.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => nodeInAddress(page)).toBe(0)
    const selected = outline.locator('[role=treeitem][aria-selected=true]')
    await expect.poll(() => selected.getAttribute('aria-level')).toBe('1')
    await page.keyboard.press('ArrowDown')
    await expect.poll(async () => tree.nodes[(await nodeInAddress(page)) ?? 0]?.parent).toBe(0)
    await expect.poll(() => selected.getAttribute('aria-level')).toBe('2')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => nodeInAddress(page)).toBe(0)
    await expect.poll(() => selected.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => selected.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => selected.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Enter')
    const panel = page.getByRole('complementary', { name: 'Root' })
    await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('ASIDE')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
  })
})
