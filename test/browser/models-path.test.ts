import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyPage } from './every-page.ts'
import { connectChromium, openPage } from './open-page.ts'
import { serveExamples, sharedExamples } from './serve-folder.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

test('a person adds an endpoint, tests it, changes it and removes it, whatever its name', async () => {
  const { address, client } = await serveExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/endpoints')
  await page.getByRole('link', { name: 'Add an endpoint' }).click()
  // The last part of the address of a form elsewhere.
  await page.getByLabel('Name', { exact: true }).fill('new')
  await page.getByLabel('kind').selectOption('simulated')
  await page.getByRole('button', { name: 'Add the endpoint' }).click()
  await page.waitForURL(/\/endpoints\/new$/)
  await page.getByRole('heading', { level: 1, name: 'new' }).waitFor()
  expect(await client.endpoint('new')).toMatchObject({ origin: 'api', configuration: { kind: 'simulated' } })

  await page.getByRole('button', { name: /^Test/ }).click()
  await page.getByText(/answered in /).waitFor()

  await page.getByLabel('skill').fill('0.9')
  await page.getByRole('button', { name: 'Save the change' }).click()
  await page.getByText('Saved. Calls under way end as they began.').waitFor()
  expect((await client.endpoint('new')).configuration).toMatchObject({ skill: 0.9 })

  await page.goto('/endpoints')
  await page.getByRole('link', { name: 'new', exact: true }).click()
  await page.waitForURL(/\/endpoints\/new$/)
  expect(await page.getByLabel('skill').inputValue()).toBe('0.9')
  await page.getByRole('button', { name: 'Remove …' }).click()
  await page.getByRole('button', { name: 'Remove the endpoint' }).click()
  await page.waitForURL(/\/endpoints$/)
  await page.getByRole('link', { name: 'laboratory' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'new', exact: true }).count()).toBe(0)
  expect((await client.endpoints()).data.map(({ id }) => id)).not.toContain('new')
})

test('a person goes from the list to a training that has ended, to the model that it made, and trains from that', async () => {
  const { address, client, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/trainings')
  await page.getByRole('link', { name: 'dpo on the step pairs' }).click()
  await page.waitForURL(new RegExp(`/trainings/${examples.training}$`))
  const progress = page.getByRole('region', { name: 'Progress' })
  await progress.getByText('Took').waitFor()
  expect(await progress.getByText('Time left').count()).toBe(0)
  const { metrics } = await client.training(examples.training)
  expect(await progress.innerText()).toContain(metrics?.loss?.toFixed(4))

  await page.getByRole('link', { name: examples.model }).first().click()
  await page.waitForURL(new RegExp(`/models/${examples.model}$`))
  await page.getByRole('link', { name: 'Train from it' }).click()
  await page.waitForURL(/\/trainings\/new\?/)
  await page.getByRole('heading', { level: 1, name: 'New training' }).waitFor()
  await expect.poll(() => page.getByRole('main').innerText()).toContain(examples.model)
})

test('the form of a loop shows what it would do, stage by stage', async () => {
  const served = sharedExamples()
  const { page } = await openPage(browser, served.address)
  const { 'new loop': form } = await everyPage(served)
  await page.goto(String(form))
  const plan = page.getByRole('region', { name: 'What it would do' })
  await plan.getByText('40 train, no dev, 20 test').waitFor()
  await plan.getByText('Every stage').click()
  await plan
    .getByRole('cell', { name: /^explore/ })
    .first()
    .waitFor()
})
