import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The status of a GET with headers that `fetch` would not send. */
async function statusOf(address: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${address}/v1/runs`, { headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    sent.on('error', reject)
    sent.end()
  })
}

test('a web page of another site, or one under a name bound to this machine, gets nothing', async () => {
  const service = await openService({
    folder: await temporaryFolder(),
    port: 0,
    work: false,
    log: () => undefined,
  })
  onTestFinished(() => service.close({ grace: 1 }))
  const { address } = service
  const { host, port } = new URL(address)
  expect(await statusOf(address, {})).toBe(200)
  expect(await statusOf(address, { Host: `localhost:${port}` })).toBe(200)
  expect(await statusOf(address, { Origin: `http://${host}` })).toBe(200)
  expect(await statusOf(address, { Host: 'evil.example' })).toBe(403)
  expect(await statusOf(address, { Origin: 'http://evil.example' })).toBe(403)
})
