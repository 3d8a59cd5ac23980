import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { SiteCopies } from '../../../containers/browser/site-copies.ts'

/** A site whose reset is answered as given: null, never. */
async function openSite(status: number | null) {
  const server = createServer((_request, response) => {
    if (status !== null) response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const reset = { address: `${address}/reset`, form: {}, headers: {}, timeout: 1, when: 'always' as const }
  const gitlab = { address, hosts: [new URL(address).host], sharing: { kind: 'leased' as const, reset } }
  return new SiteCopies({ sites: { gitlab }, storage_state: null }, ['gitlab'], false)
}

test('a late reset ends the episode, with the site, its limit and the cures', async () => {
  const copies = await openSite(null)
  await expect(copies.reset()).rejects.toMatchObject({
    code: 'environment_failed',
    message: expect.stringMatching(/"gitlab" has not answered its reset in 1 seconds.*at most 600.*"asked"/),
  })
})

test('a reset that fails at once is tried on other hosts', async () => {
  const copies = await openSite(500)
  await expect(copies.reset()).rejects.toMatchObject({ code: 'endpoint_failed' })
})
