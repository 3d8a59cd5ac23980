import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectChromium, openPage } from './open-page.ts'
import { serveExamples, sharedExamples } from './serve-folder.ts'
import { settle } from './settle.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

test('the form of a new run is ready to start, and says at once what it would take', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/runs/new')
  const estimate = page.getByRole('region', { name: 'What it would take' })
  await estimate.getByRole('row', { name: /^Episodes 20 20/ }).waitFor()
  expect(await page.getByRole('button', { name: 'Start the run' }).isEnabled()).toBe(true)
  // What was not entered is in no address.
  expect(new URL(page.url()).search).toBe('')
})

test('labels and limits are folded away, and sent where something is set', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address, { expected: [/status of 400/] })
  await page.goto('/runs/new')
  await settle(page)
  expect(await page.getByLabel('Tags').isVisible()).toBe(false)
  await page.getByRole('heading', { name: 'Labels' }).click()
  await page.getByLabel('Experiment', { exact: true }).fill('depth')
  await page.getByLabel('Tags').fill('one, two')
  await page.getByText('depth · one · two').waitFor()
  await page
    .getByText(/"experiment": ?"depth"/)
    .first()
    .waitFor()
  // What the service refuses in a folded part opens it.
  const request = {
    environment: 'textcraft',
    method: { id: 'react' },
    tasks: { split: 'test' },
    epochs: 'many',
  }
  await page.goto(
    `/runs/new?request=${encodeURIComponent(JSON.stringify({ ...request, model: { endpoint: 'simulated', id: 'simulated' } }))}`,
  )
  await page
    .getByText(/epochs.*must be/i)
    .first()
    .waitFor()
  await expect.poll(() => page.getByLabel('Epochs').isVisible()).toBe(true)
})

test('a choice over a preset is sent also if it is the method’s default, and an emptied box names the preset’s value', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address, { expected: [/status of 400/] })
  await page.goto('/runs/new')
  await settle(page)
  await page.getByRole('combobox', { name: 'Preset' }).selectOption('exact-osworld')
  const choice = page.getByLabel('child_choice', { exact: true })
  await expect.poll(() => choice.locator('option:checked').innerText()).toBe('random (default)')
  await choice.selectOption({ label: 'best' })
  await page
    .getByText(/"child_choice": ?"best"/)
    .first()
    .waitFor()
  const iterations = page.getByLabel('iterations', { exact: true })
  await iterations.fill('')
  await expect.poll(() => iterations.getAttribute('placeholder')).toBe('default: 60')
})

test('what is edited while the run is being started starts no second one', async () => {
  const { address, client } = await serveExamples()
  const listed = async () => (await client.runs({ limit: 100 })).data
  const known = (await listed()).map(({ id }) => id)
  const { page } = await openPage(browser, address)
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  let sent = 0
  await page.route('**/v1/runs', async (route) => {
    if (route.request().method() === 'POST') {
      sent += 1
      await held
    }
    await route.continue()
  })
  await page.goto('/runs/new')
  const name = page.getByLabel('Name of the run')
  await name.fill('the first')
  await page.getByRole('button', { name: 'Start the run' }).click()
  const busy = page.getByRole('button', { name: 'Sending …' })
  await busy.waitFor()
  await name.fill('the second')
  await name.press('Enter')
  expect(await busy.isDisabled()).toBe(true)
  release()
  await page.waitForURL(/\/runs\/run-/)
  expect(sent).toBe(1)
  const added = (await listed()).filter(({ id }) => !known.includes(id))
  expect(added.map(({ request }) => request.name)).toEqual(['the first'])
})

test('an estimate that the service failed at can be asked for again', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address, { expected: [/status of 500/] })
  const error = { type: 'server_error', code: 'failed', message: 'The service failed.', param: null }
  await page.route(/dry_run=true/, (route) => route.fulfill({ status: 500, json: { error } }))
  await page.goto('/runs/new')
  const estimate = page.getByRole('region', { name: 'What it would take' })
  await estimate.getByText('The service failed.').waitFor()
  await page.unroute(/dry_run=true/)
  await estimate.getByRole('button', { name: 'Try again' }).click()
  await estimate.getByRole('row', { name: /^Episodes 20 20/ }).waitFor()
})

test('a name and a share are typed as they are read, and the splits stay where they are', async () => {
  const { address, examples } = sharedExamples()
  // What is half typed may be asked of the service, which refuses it.
  const { page } = await openPage(browser, address, { expected: [/status of 400/] })
  await page.goto(`/datasets/new?runs=${examples.mcts}`)
  await page.getByRole('button', { name: '90 % train, 10 % validation' }).click()
  const [first, second] = [page.getByLabel('Name of split 1'), page.getByLabel('Name of split 2')]
  await second.fill('')
  await second.pressSequentially('2024')
  expect([await first.inputValue(), await second.inputValue()]).toEqual(['train', '2024'])
  const share = page.getByLabel('Share of train')
  await share.fill('')
  expect(await share.inputValue()).toBe('')
  await share.pressSequentially('0.2')
  expect(await share.inputValue()).toBe('0.2')
})

test('scores that episodes must have are asked for with their bounds, and said in the command', async () => {
  const { address, examples } = sharedExamples()
  // What is half typed may be asked of the service, which refuses it.
  const { page } = await openPage(browser, address, { expected: [/status of 400/] })
  await page.goto(`/datasets/new?runs=${examples.mcts}`)
  const bounds = page.getByLabel('Scores', { exact: true })
  await bounds.pressSequentially('helpful>=0.5')
  const settings = () => new URL(page.url()).searchParams.get('settings')
  await expect.poll(settings).toBe(JSON.stringify({ scores: [{ name: 'helpful', at_least: 0.5 }] }))
  await page.reload()
  await expect.poll(() => bounds.inputValue()).toBe('helpful>=0.5')
  await page.getByRole('tab', { name: 'Command line' }).click()
  await page.getByText(/--score 'helpful>=0.5'/).waitFor()
  await bounds.fill('')
  await expect.poll(settings).toBeNull()
})

test('a dataset is not built while a bound of its scores is mistyped', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address, { expected: [/status of 400/] })
  await page.goto(`/datasets/new?runs=${examples.mcts}`)
  const build = page.getByRole('button', { name: 'Build the dataset' })
  await expect.poll(() => build.isEnabled()).toBe(true)
  const bounds = page.getByLabel('Scores', { exact: true })
  await bounds.pressSequentially('helpful>0.5')
  await page.getByText('Correct the scores first.').waitFor()
  await expect.poll(() => build.isDisabled()).toBe(true)
  await bounds.fill('helpful>=0.5')
  await expect.poll(() => build.isEnabled()).toBe(true)
})

test('positions stay as they are typed', async () => {
  const { address } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto('/runs/new')
  await settle(page)
  const positions = page.getByLabel('Positions in the split')
  await positions.pressSequentially('0-05')
  expect(await positions.inputValue()).toBe('0-05')
})

test('a filter that is typed in one go arrives whole, and leaves the page where it is', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.mcts}`)
  await settle(page)
  const filter = page.getByRole('searchbox', { name: 'Task' })
  await filter.scrollIntoViewIfNeeded()
  const before = await page.evaluate('scrollY')
  await filter.pressSequentially('textcraft-0')
  await page.waitForURL(/[?&]task=textcraft-0$/)
  expect(await filter.inputValue()).toBe('textcraft-0')
  expect(await page.evaluate('scrollY')).toBe(before)
  await page.reload()
  await expect.poll(() => filter.inputValue()).toBe('textcraft-0')
})

test('a limit of a paused run can be raised, and is not taken away', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.capped}`)
  await page.getByRole('button', { name: 'Resume …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Resume the run' })
  const send = dialog.getByRole('button', { name: 'Resume' })
  const tokens = dialog.getByLabel('tokens')
  await expect.poll(() => tokens.inputValue()).toBe('40000')
  await expect.poll(() => send.isEnabled()).toBe(true)
  await tokens.fill('')
  await dialog.getByText('A limit can be raised, not removed.').waitFor()
  await expect.poll(() => send.isDisabled()).toBe(true)
})

test('a run that ends while it is asked whether to cancel it says so', async () => {
  const { address, client, examples } = await serveExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.capped}`)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this run?' })
  await dialog.getByText(/6 episodes that have not ended/).waitFor()
  await client.changeRun(examples.capped, 'cancel', {})
  await dialog.getByText('The run has ended: it is cancelled.').waitFor()
  expect(await dialog.getByRole('button', { name: 'Cancel the run' }).isDisabled()).toBe(true)
})

test('a dialog that opens slowly stays open', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address, { slowdown: 8 })
  await page.goto(`/runs/${examples.mcts}`)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('button', { name: 'Extend …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Extend the run' })
  await dialog.getByLabel('iterations').fill('12')
  await settle(page)
  expect(await dialog.getByLabel('iterations').inputValue()).toBe('12')
})

test('a dialog that is left by its button gives the focus back', async () => {
  const { address, examples } = sharedExamples()
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.mcts}`)
  await page.getByRole('button', { name: 'Actions', exact: true }).click()
  const opener = page.getByRole('button', { name: 'Extend …' })
  await opener.click()
  const dialog = page.getByRole('dialog', { name: 'Extend the run' })
  const send = dialog.getByRole('button', { name: 'Extend' })
  await dialog.getByLabel('cost').first().fill('-1')
  await expect.poll(() => send.isDisabled()).toBe(true)
  await dialog.getByLabel('cost').first().fill('2')
  await expect.poll(() => send.isEnabled()).toBe(true)
  await dialog.getByLabel('iterations').fill('abc')
  await expect.poll(() => send.isDisabled()).toBe(true)
  await dialog.getByLabel('iterations').fill('12')
  await expect.poll(() => send.isEnabled()).toBe(true)
  await dialog.getByRole('button', { name: 'Leave it as it is' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => page.evaluate('document.activeElement?.textContent')).toBe('Extend …')
})
