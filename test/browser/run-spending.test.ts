import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatCount } from '../../shared/core/client/format-quantity.ts'
import { connectChromium, openPage } from './open-page.ts'
import { sharedExamples } from './serve-folder.ts'

let browser: Browser

beforeAll(async () => {
  browser = await connectChromium()
})
afterAll(() => browser.close())

test('the spending of a run is drawn from the ends of its episodes, up to the sum of the run', async () => {
  const { address, client, examples } = sharedExamples()
  const { usage, episodes } = await client.run(examples.react)
  const { page } = await openPage(browser, address)
  await page.goto(`/runs/${examples.react}`)
  const section = page.getByRole('region', { name: 'Spending over time' })
  await section.getByLabel('Spending in', { exact: true }).selectOption('tokens')
  await section.getByRole('img', { name: /^Spending in tokens over time/ }).waitFor()
  await section.getByText('The numbers as a table').click()
  const rows = section.getByRole('table').getByRole('row')
  // The ends come one by one, by the stream of events.
  await expect
    .poll(() => rows.last().getByRole('cell').innerText())
    .toBe(formatCount(usage.input_tokens + usage.output_tokens))
  expect(await rows.count()).toBeGreaterThan(episodes.total / 2)
  expect(await section.getByText('Dashed:').count()).toBe(0)
})

test('a run that plays says where it goes, and when it reaches its limit', async () => {
  const { address, client, examples } = sharedExamples()
  const run = await client.run(examples.react)
  const { page } = await openPage(browser, address)
  const tokens = run.usage.input_tokens + run.usage.output_tokens
  const going = {
    ...run,
    status: 'running',
    ended_at: null,
    episodes: { ...run.episodes, total: 2 * run.episodes.total },
    request: { ...run.request, limits: { tokens: Math.round(1.5 * tokens) } },
  }
  const lines: string[] = []
  for await (const message of client.events(run.id, { signal: AbortSignal.timeout(60_000) })) {
    if (!('event' in message)) break
    lines.push(`event: ${message.event.type}\ndata: ${JSON.stringify(message.event)}\n\n`)
  }
  lines.push(`event: run\ndata: ${JSON.stringify(going)}\n\n`)
  await page.route(`**/v1/runs/${run.id}`, (route) => route.fulfill({ json: going }))
  await page.route(`**/v1/runs/${run.id}/events*`, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: lines.join('') }),
  )
  await page.goto(`/runs/${run.id}`)
  const section = page.getByRole('region', { name: 'Spending over time' })
  await section
    .getByText(/Dashed: about .* by the last episode/)
    .first()
    .waitFor()
  await section
    .getByText(/It reaches its limit of .* about .* after the start/)
    .first()
    .waitFor()
})
