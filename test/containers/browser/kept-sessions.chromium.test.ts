import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { serveWebarena } from '../../../containers/browser/serve-webarena.ts'
import type { SessionBackend } from '../../../containers/env-host/session-backend.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { copied, filesOfTask, type OwnSite, openOwnSite } from './own-site.ts'

const served = serveWebarena('visualwebarena', () => undefined)
let site: OwnSite
beforeAll(async () => {
  site = await openOwnSite()
})
afterEach(() => Object.assign(site, { asked: [], isSilent: false, isCounting: false }))
afterAll(async () => {
  site.close()
  await served.stop?.()
})

/** A session that keeps its states. */
async function open(options: JsonObject = {}) {
  const files = filesOfTask(site, {}, { sharing: { ...copied, state: '/state' } })
  const session = await served.open({ task: '1', seed: 0, files, options })
  const { kept } = session
  if (kept === undefined) throw new Error('The session keeps no states.')
  await session.reset()
  return { session, kept }
}

const goTo = (session: SessionBackend, path: string) => session.step(`goto [http://onestopmarket.com${path}]`)
const statesRead = () => site.asked.filter((asked) => asked === 'GET /state').length

async function keepOf({ kept }: Pick<Awaited<ReturnType<typeof open>>, 'kept'>): Promise<JsonObject> {
  const state = await kept.keep()
  if (state === null) throw new Error('The state was not kept.')
  return state
}

test('another session goes back to a page with its copy of the site, logged in, and goes on from there', async () => {
  const [one, other] = [await open(), await open()]
  const added = await goTo(one.session, '/add?lamp=Blue%20lamp')
  const state = await keepOf(one)
  await goTo(one.session, '/add?lamp=Red%20lamp')
  expect(await other.kept.restore(state)).toBe(added.observation)
  const start = await goTo(other.session, '/')
  expect(start.observation).toContain('Hello ann')
  const cart = await goTo(other.session, '/cart')
  expect(cart.observation).toContain('Blue lamp')
  expect(cart.observation).not.toContain('Red lamp')
  await Promise.all([one.session.close(), other.session.close()])
})

test('a page that was reached by the words of Playwright is kept too', async () => {
  const words = { action_set: 'playwright' }
  const [one, other] = [await open(words), await open(words)]
  const cart = await one.session.step('page.get_by_role("link", name="Cart").click()')
  expect(cart.observation).toContain('http://onestopmarket.com/cart')
  expect(await other.kept.restore(await keepOf(one))).toBe(cart.observation)
  await Promise.all([one.session.close(), other.session.close()])
})

test('after a return, a page with scripts is refused, because these may see what was not kept', async () => {
  const { session, kept } = await open()
  await goTo(session, '/cart')
  const state = await keepOf({ kept })
  await kept.restore(state)
  await expect(goTo(session, '/script')).rejects.toMatchObject({ code: 'state_not_kept' })
  // The whole way is taken then.
  await session.reset()
  await goTo(session, '/cart')
  expect(await goTo(session, '/script')).toMatchObject({ valid: true })
  expect(await kept.keep()).toBeNull()
  await goTo(session, '/cart')
  expect(await kept.keep()).toBeNull()
  await session.close()
})

test('a site that does not say its state is asked once, and the session goes on', async () => {
  const { session, kept } = await open()
  site.isSilent = true
  for (const path of ['/cart', '/', '/cart']) {
    expect(await goTo(session, path)).toMatchObject({ valid: true })
    expect(await kept.keep()).toBeNull()
  }
  expect(statesRead()).toBe(1)
  await session.close()
})

test('a site that is changed by what a page asks of it is not gone back to', async () => {
  const { session, kept } = await open()
  site.isCounting = true
  await goTo(session, '/')
  const state = await keepOf({ kept })
  await expect(kept.restore(state)).rejects.toMatchObject({
    code: 'state_not_kept',
    message: expect.stringContaining('The site "shopping" is in another state'),
  })
  await session.reset()
  await goTo(session, '/cart')
  expect(await kept.keep()).toBeNull()
  await session.close()
})
