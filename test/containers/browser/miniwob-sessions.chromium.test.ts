import { afterAll, expect, test } from 'vitest'
import { guardPage } from '../../../containers/browser/guard-page.ts'
import { BackendLostError, type SessionBackend } from '../../../containers/env-host/session-backend.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { serveMiniwob } from '../../../shared/environments/miniwob/host/serve-miniwob.ts'
import { keepBrowser, ownPages } from './own-pages.ts'

const keeper = keepBrowser()
const served = serveMiniwob(keeper)
afterAll(() => served.stop?.())

const open = (options: JsonObject = {}, seed = 0) =>
  served.open({ task: 'click-test/3', seed, files: ownPages, options })

/** Resets a session, takes the actions by the names of buttons, and closes it. */
async function play(session: SessionBackend, actions: readonly string[]) {
  const answers = [await session.reset()]
  for (const action of actions) {
    const shown = answers.at(-1)?.observation ?? ''
    const id = new RegExp(`\\[(\\d+)\\] (?:button|\\[BUTTON\\]).*${action}`).exec(shown)?.[1]
    answers.push(await session.step(id === undefined ? action : `click [${id}]`))
  }
  await session.close()
  return answers
}

test('a session shows the objective and the page, and earns what the page itself gives', async () => {
  const [start, right] = await play(await open(), ['Right'])
  expect(start).toMatchObject({ reward: 0, done: false, valid: true })
  expect(start?.runtime).toBe(`Chromium ${(await keeper.take()).version()}`)
  expect(start?.observation).toMatch(
    /^Objective: Press the right button\.\n\nTab 0 \(current\): Own Task\n\n\[1\]/,
  )
  expect(start?.observation).toContain("StaticText 'Number 3'")
  expect(start?.observation).not.toContain('Last reward')
  expect(right).toMatchObject({ reward: 1, done: true, valid: true, progress: 1 })
  expect((await play(await open(), ['Wrong'])).at(-1)).toMatchObject({ reward: 0, done: true })
  expect((await play(await open(), ['Half'])).at(-1)).toMatchObject({ reward: 0.5, done: true })
})

test('time passes with actions alone, so that the same actions have the same answers', async () => {
  const first = await play(await open(), ['press [Tab]', 'press [Tab]'])
  expect(first[0]?.observation).not.toContain('Later')
  expect(first[2]?.observation).toContain('Later')
  expect(first[0]?.observation).toContain('2024-01-02T09:00:01')
  expect(await play(await open(), ['press [Tab]', 'press [Tab]'])).toEqual(first)
  const [other] = await play(await open({}, 1), [])
  expect(other?.observation).not.toBe(first[0]?.observation)
})

test.each([
  ['dance', 'Invalid action dance.'],
  ['click [99]', 'There is no element [99].'],
  ['goto [http://example.com]', 'There is one page only'],
])('%s is answered as no valid action, and the page stays', async (action, said) => {
  const [start, after] = await play(await open(), [action])
  expect(after).toMatchObject({ valid: false, done: false, reward: 0 })
  expect(after?.observation).toContain(said)
  expect(after?.observation).toContain(start?.observation)
})

test('an agent that stops earns nothing that the page has not given', async () => {
  expect((await play(await open(), ['stop [done]'])).at(-1)).toMatchObject({ done: true, reward: 0 })
})

test('marks come with a screenshot, and screenshots beside a tree where they are asked for', async () => {
  const [marked] = await play(await open({ observation: 'image_som' }), [])
  expect(marked?.observation).toContain('[1] [BUTTON] [Right]')
  expect(marked?.pictures).toHaveLength(1)
  const [plain] = await play(await open({ screenshots: true }), [])
  expect(plain?.pictures?.[0]?.media_type).toBe('image/png')
  expect(plain?.pictures?.[0]?.data).not.toBe(marked?.pictures?.[0]?.data)
  expect((await play(await open(), []))[0]?.pictures).toBeUndefined()
  const [html] = await play(await open({ observation: 'html' }), [])
  expect(html?.observation).toContain('<BUTTON onclick="end(1)">')
})

test('a crashed page is a lost session, and never an answer', async () => {
  const session = await open()
  await session.reset()
  const browser = await keeper.take()
  const page = browser.contexts().at(-1)?.pages()[0]
  const crashed = new Promise((resolve) => page?.once('crash', resolve))
  const crashing = page?.goto('chrome://crash').catch(() => undefined)
  await crashed
  await expect(session.step('press [Tab]')).rejects.toBeInstanceOf(BackendLostError)
  await session.close()
  await crashing
})

test('a browser that is gone is a lost session, and the next session has another browser', async () => {
  const session = await open()
  await session.reset()
  await (await keeper.take()).close()
  await expect(session.step('press [Tab]')).rejects.toBeInstanceOf(BackendLostError)
  await session.close()
  expect((await play(await open(), ['Right'])).at(-1)).toMatchObject({ reward: 1 })
})

test('a page that hangs is a lost session after its limit', async () => {
  const never = () => new Promise<never>(() => undefined)
  await expect(guardPage(never, 20)).rejects.toThrow(/has not answered for 0\.02 seconds/)
})

test('what is no task, or brings no pages, is refused with the way out', async () => {
  await expect(served.open({ task: 'airline/0', seed: 0, files: ownPages })).rejects.toThrow(
    /no task "airline\/0"/,
  )
  await expect(served.open({ task: 'click-test/0', seed: 0 })).rejects.toThrow(/espalier data fetch miniwob/)
  const files = { 'pages/click-test.json': 'no JSON' }
  await expect(served.open({ task: 'click-test/0', seed: 0, files })).rejects.toThrow(
    /is no file of a data pack/,
  )
})
