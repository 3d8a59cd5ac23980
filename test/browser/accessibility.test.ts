import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyPage } from './every-page.ts'
import { connectChromium, openPage } from './open-page.ts'
import { sharedExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const widths = [1440, 820]
const colorSchemes = ['light', 'dark'] as const
/** What a change of the width moves is in its place with the second frame. */
const painted = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'
/** Cells whose text lies on their neighbours. */
const spilt = `[...document.querySelectorAll('th, td')]
  .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 && getComputedStyle(cell).overflowX === 'visible')
  .map((cell) => cell.innerText.slice(0, 80))`
let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

test('no page has a serious finding of axe, scrolls sideways or writes over a cell, light and dark, wide and narrow', async () => {
  const served = sharedExamples()
  const { page } = await openPage(browser, served.address, { expected: [/status of 404/] })
  const findings: string[] = []
  for (const [name, address] of Object.entries(await everyPage(served))) {
    for (const colorScheme of colorSchemes) {
      // Before the page is loaded: a browser that changes the theme of a page may paint part of it later.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.goto(address)
      await settle(page)
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 })
        await page.evaluate(painted)
        for (const finding of await findingsOf(page))
          findings.push(`${name} (${address}), ${colorScheme}, ${width} wide: ${finding}`)
      }
    }
  }
  expect(findings).toEqual([])
})

/** Serious and critical findings of axe, a page wider than its window, cells wider than their column. */
async function findingsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe)
  const found = await page.evaluate('axe.run(document, { resultTypes: ["violations"] })')
  const serious = (found as AxeResults).violations.filter(
    ({ impact }) => impact === 'serious' || impact === 'critical',
  )
  const wider = Number(
    await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'),
  )
  return [
    ...serious.map(({ id, nodes }) => {
      const [first] = nodes
      return `${id}, ${nodes.length} times, as ${first?.html.slice(0, 200)}: ${first?.failureSummary}`
    }),
    ...((await page.evaluate(spilt)) as string[]).map((text) => `over its neighbour lies "${text}"`),
    ...(wider > 0 ? [`${wider} pixels wider than its window`] : []),
  ]
}
