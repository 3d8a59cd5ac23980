import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { connectChromium, openPage } from './open-page.ts'
import { serveFolder } from './serve-folder.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'textbox' | 'link'): Promise<void> {
  const wanted = page.getByRole(role, { name }).first()
  await wanted.waitFor()
  for (let presses = 0; presses < 200; presses += 1) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name}.`)
}

test('a person plays a task by keyboard alone, goes back, and saves it as an expert’s trajectory', async () => {
  const { address, client } = await serveFolder(await temporaryFolder())
  const { page } = await openPage(browser, address)
  await page.goto('/environments?text=textcraft')
  await tabTo(page, /^By hand\s+textcraft/, 'link')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/environments/textcraft/try')
  const main = page.getByRole('main')
  await expect.poll(() => main.getByLabel('Task', { exact: true }).inputValue()).toMatch(/^textcraft-/)
  await tabTo(page, 'Start', 'button')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/try\?session=session-/)

  await tabTo(page, 'Action', 'textbox')
  await page.keyboard.type('inventory')
  await page.keyboard.press('Enter')
  const step = (name: string) => main.getByRole('heading', { name, exact: true })
  await step('Step 1').waitFor()
  await main.getByText(/reward 0[.0]* if it ended here/).waitFor()
  await page.keyboard.type('fly to the moon')
  await page.keyboard.press('Enter')
  await step('Step 2').waitFor()
  await main.getByText('The action was invalid.').waitFor()

  await tabTo(page, 'Undo', 'button')
  await page.keyboard.press('Enter')
  await step('Step 2').waitFor({ state: 'detached' })
  await tabTo(page, /^Save as/, 'button')
  await page.keyboard.press('Enter')
  await main.getByText(/^Saved as/).waitFor()
  const [saved] = (await client.imports({ limit: 1 })).data
  expect(saved).toMatchObject({ trajectories: 1, rejected: 0, settings: { environment: 'textcraft' } })
  await main.getByText(saved?.id ?? 'an import').waitFor()

  await tabTo(page, 'End', 'button')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/try$/)
  await main.getByRole('button', { name: 'Start' }).waitFor()
})
