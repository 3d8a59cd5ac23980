import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { KeptStates } from '../../../containers/browser/kept-states.ts'
import { SiteCopies } from '../../../containers/browser/site-copies.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A shop that counts; what its reset makes of a state is the test's. */
async function openShop(resetTo: (state: { count: number } | undefined) => number, large = '') {
  const counts = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://shop')
    if (url.pathname === '/state') {
      response.end(JSON.stringify({ count: counts.get(url.searchParams.get('session') ?? ''), large }))
      return
    }
    let body = ''
    for await (const part of request) body += part
    const { session, state } = JSON.parse(body) as { session: string; state?: { count: number } }
    counts.set(session, resetTo(state))
    response.setHeader('set-cookie', `copy=${session}; Path=/`).end('{}')
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const sharing = { kind: 'sessions' as const, reset: '/reset', state: '/state' }
  const address = `http://127.0.0.1:${port}`
  const sites = { shopping: { address, hosts: [`127.0.0.1:${port}`], sharing } }
  return { counts, copies: () => new SiteCopies({ sites, storage_state: null }, ['shopping'], false) }
}

test('copies of one session begin where those of another were, by cookies of their own', async () => {
  const { counts, copies } = await openShop((state) => state?.count ?? 0)
  const [one, other] = [copies(), copies()]
  await one.reset()
  for (const key of counts.keys()) counts.set(key, 3)
  await other.enterStates(await one.states())
  expect(await other.states()).toEqual({ shopping: { count: 3, large: '' } })
  expect(other.haveStates).toBe(true)
  expect(other.isOfCopies({ name: 'copy' })).toBe(true)
  expect(other.isOfCopies({ name: 'account' })).toBe(false)
})

test('a site that is elsewhere after it was given a state is found out', async () => {
  const { counts, copies } = await openShop(() => 0)
  const one = copies()
  await one.reset()
  for (const key of counts.keys()) counts.set(key, 3)
  const states = await one.states()
  await expect(copies().enterStates(states)).rejects.toMatchObject({
    code: 'endpoint_failed',
    message: expect.stringContaining('in another state than its reset was given'),
  })
})

test('a state of more than a million characters is refused', async () => {
  const { copies } = await openShop(() => 0, 'a'.repeat(1_000_001))
  const one = copies()
  await one.reset()
  await expect(one.states()).rejects.toMatchObject({ message: expect.stringContaining('answered more than') })
})

test('a host keeps states up to a number of bytes, the copies of sites counted', () => {
  const states = new KeptStates()
  const large = { shopping: { text: 'a'.repeat(20_000_000) } }
  const document = {
    address: '',
    referer: undefined,
    status: 200,
    headers: {},
    body: Buffer.alloc(10_000_000),
  }
  const put = () => states.put({ copies: large, cookies: [], document, pointer: null, actions: [], text: '' })
  const [first, second, third] = [put(), put(), put()]
  expect(() => states.find(first)).toThrow('does not keep the state')
  expect(states.find(second).text).toBe('')
  expect(states.find(third).document.body).toHaveLength(10_000_000)
})
