import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { webarenaRegistrationSchema } from '../../../shared/environments/webarena/registration.ts'
import { resolveSites } from '../../../shared/environments/webarena/session-files.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const address = 'http://shop.example'
const sharing = { kind: 'read_only' }
const signed_in = { path: '/wishlist/', text: 'My Wish List' }

async function resolve(state: string, from: 'folder' | 'variable', name = 'shopping_state.json') {
  const folder = await temporaryFolder()
  await writeFile(join(folder, name), state)
  const storage_states = from === 'folder' ? { folder: '.' } : { [name]: { variable: 'STATE' } }
  const sites = { shopping: { address, sharing, signed_in }, shopping_admin: { address, sharing, signed_in } }
  const registration = webarenaRegistrationSchema.parse({ kind: 'webarena', sites, storage_states })
  return resolveSites({ id: 'mine', registration, folder, variables: { STATE: state } }, `./.auth/${name}`)
}

const seconds = Math.floor(Date.now() / 1000)
const past = fc.integer({ min: 0, max: seconds - 1 })
const lasting = fc.oneof(
  fc.constantFrom(-1, undefined),
  fc.integer({ min: seconds + 600, max: seconds + 1e8 }),
)
const from = fc.constantFrom('folder' as const, 'variable' as const)
const stateOf = (ends: readonly (number | undefined)[]) =>
  JSON.stringify({ cookies: ends.map((expires, index) => ({ name: `c${index}`, expires })), origins: [] })

test('a log-in whose cookies have all expired is refused, with its name and its renewal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(past, { minLength: 1 }), from, async (ends, place) => {
      await expect(resolve(stateOf(ends), place)).rejects.toMatchObject({
        code: 'invalid_request',
        param:
          place === 'folder'
            ? 'environments.mine.storage_states.folder'
            : 'environments.mine.storage_states.shopping_state.json',
        message: expect.stringMatching(
          /(shopping_state\.json|STATE) expired on \d{4}-\d\d-\d\d\. Log in to the site again/,
        ),
      })
    }),
    { numRuns: 30 },
  )
})

test('a log-in with a cookie that is valid, with none, or that cannot be read, goes to the host', async () => {
  const mixed = fc
    .tuple(fc.array(past), lasting, fc.array(past))
    .map(([before, one, after]) => stateOf([...before, one, ...after]))
  const states = fc.oneof(mixed, fc.constantFrom('{"cookies":[]}', '{"origins":[]}', '{', '[]'))
  await fc.assert(
    fc.asyncProperty(states, from, async (state, place) => {
      expect((await resolve(state, place)).storage_state).toBe(state)
    }),
    { numRuns: 30 },
  )
})

test.each([
  ['shopping_state.json', ['shopping']],
  ['shopping_admin_state.json', ['shopping_admin']],
  ['shopping.shopping_admin_state.json', ['shopping', 'shopping_admin']],
  ['reddit_state.json', []],
])('the log-in of %s is checked at %j', async (name, checked) => {
  const { sites } = await resolve('{"cookies":[]}', 'folder', name)
  expect(Object.entries(sites).flatMap(([site, { signed_in: check } = {}]) => (check ? [site] : []))).toEqual(
    checked,
  )
})
