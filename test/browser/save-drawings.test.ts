import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { connectChromium, openPage } from './open-page.ts'
import { sharedExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

async function downloaded(page: Page, button: Locator): Promise<{ name: string; bytes: Buffer }> {
  const download = page.waitForEvent('download')
  await button.click()
  const file = await download
  const name = file.suggestedFilename()
  const path = join(await temporaryFolder(), name)
  await file.saveAs(path)
  return { name, bytes: await readFile(path) }
}

/** Saves both files of a drawing, and checks that they are whole and of one size. */
async function savedDrawing(page: Page, title: string): Promise<string> {
  const button = (format: string) => page.getByRole('button', { name: `Save “${title}” as ${format}` })
  const svg = await downloaded(page, button('SVG'))
  const png = await downloaded(page, button('PNG'))
  expect([svg.name, png.name].map((name) => name.split('.')[1])).toEqual(['svg', 'png'])
  const text = svg.bytes.toString()
  const parsed = (await page.evaluate(`(() => {
    const root = new DOMParser().parseFromString(${JSON.stringify(text)}, 'image/svg+xml').documentElement
    return {
      name: root.nodeName,
      size: ['width', 'height'].map((side) => Number(root.getAttribute(side))),
      classes: root.querySelectorAll('[class], [style], script, foreignObject').length,
    }
  })()`)) as { name: string; size: number[]; classes: number }
  expect(parsed).toMatchObject({ name: 'svg', classes: 0 })
  const { width, height, data } = PNG.sync.read(png.bytes)
  expect([width, height]).toEqual(parsed.size.map((pixels) => pixels * 2))
  const colours = new Set(Array.from({ length: data.length / 4 }, (_, at) => data.readUInt32BE(at * 4)))
  expect(colours.size, 'the picture is not empty').toBeGreaterThan(4)
  expect(text).not.toMatch(/var\(|light-dark|color-mix|NaN|undefined/)
  return text
}

test('each kind of plot is saved as SVG that stands alone, and as PNG at twice its size', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/compare?runs=${examples.react},${examples.mcts}`)
  await page
    .getByRole('button', { name: /^Save “Success rate by/ })
    .first()
    .waitFor()
  await settle(page)
  const interval = await savedDrawing(page, 'Success rate')
  for (const words of ['Success rate', 'mcts by rewards', 'difference of success rates', '[−0.02, 0.32]']) {
    expect(interval).toContain(words)
  }
  const titles = await page
    .getByRole('button', { name: /^Save “.* as SVG$/ })
    .evaluateAll((buttons) => buttons.map((button) => /“(.*)”/.exec(button.ariaLabel ?? '')?.[1] ?? ''))
  expect(titles.length).toBeGreaterThan(4)
  for (const title of titles.slice(-2))
    expect(await savedDrawing(page, title)).toContain('react, the baseline')
})

test('a tree is saved as the map shows it, in either theme', async () => {
  const { address, client, examples } = sharedExamples()
  const [episode] = (await client.episodes(examples.mcts, { limit: 1 })).data
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await openPage(browser, address, { colorScheme })
    await page.goto(`/runs/${examples.mcts}/episodes/${episode?.id}`)
    await page.locator('[data-painted]').waitFor()
    const tree = await savedDrawing(page, `tree of ${episode?.task}`)
    expect(tree).toContain(colorScheme === 'light' ? 'fill="#ffffff"/>' : 'fill="#1b2023"/>')
    expect(tree.match(/<path/g)?.length).toBeGreaterThan(5)
  }
})

test('a waterfall is saved with its lanes and its legend', async () => {
  const { address, client, examples } = sharedExamples()
  const [episode] = (await client.episodes(examples.react, { limit: 1 })).data
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.react}/episodes/${episode?.id}?view=waterfall`)
  await page.locator('canvas[data-painted]').waitFor()
  const saved = await savedDrawing(page, `waterfall of ${episode?.task}`)
  for (const words of ['model', 'commit', 'set-up']) expect(saved).toContain(`>${words}</text>`)
})
