import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveWebarena } from '../../../containers/browser/serve-webarena.ts'
import { sessionSitesFile } from '../../../shared/environments/webarena/session-files.ts'
import { filesOfTask, type OwnSite, openOwnSite } from './own-site.ts'

const webarena = serveWebarena('webarena', () => undefined)
let site: OwnSite
beforeAll(async () => {
  site = await openOwnSite()
})
afterAll(async () => {
  site.close()
  await webarena.stop?.()
})

async function start(signed_in: { path: string; text: string }) {
  const files = filesOfTask(site, {})
  const { sites, ...more } = JSON.parse(files[sessionSitesFile] ?? '')
  const checked = { ...more, sites: { shopping: { ...sites.shopping, signed_in } } }
  const own = { ...files, [sessionSitesFile]: JSON.stringify(checked) }
  const session = await webarena.open({ task: '1', seed: 0, files: own, options: {} })
  try {
    return await session.reset()
  } finally {
    await session.close()
  }
}

test('a task starts if the page of its log-in has the text', async () => {
  expect(await start({ path: '/', text: 'Hello ann' })).toMatchObject({
    observation: expect.stringContaining("StaticText 'Hello ann'"),
  })
})

test.each([
  ['lacks the text', { path: '/', text: 'Hello bob' }],
  ['leads elsewhere', { path: '/add?lamp=Red', text: 'Cart' }],
])('a task whose page of its log-in %s does not start, with the site and the renewal', async (_, check) => {
  await expect(start(check)).rejects.toMatchObject({
    code: 'environment_failed',
    message: expect.stringMatching(/log-in of the site "shopping" is not valid.*Log in to the site again/),
  })
})
