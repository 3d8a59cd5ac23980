import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Hosts that are to serve it come to no port: there, and only there, it never ends being loaded. */
const module = `
if (process.env.ESPALIER_HOST_ENVIRONMENTS !== undefined) {
  setInterval(() => undefined, 1000)
  await new Promise(() => undefined)
}
export const slow = { id: 'slow', open: async () => ({}) }
`

test('a service that closes does not wait until a host has started', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'slow.mjs'), module)
  const environments = { slow: { kind: 'module', file: 'slow.mjs' } }
  await writeFile(join(folder, 'environments.json'), JSON.stringify({ environments }))
  const service = await openService({ folder, auth: 'none', log: () => undefined })
  const answer = await service.app.request('/v1/runs', {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${service.word}` },
    body: JSON.stringify({
      environment: 'textcraft',
      hosting: 'host',
      tasks: { limit: 1 },
      method: { id: 'react' },
      model: { endpoint: 'simulated', id: 'simulated' },
    }),
  })
  expect(await answer.text()).toContain('"object":"run"')
  const hosts = () => readdir(join(folder, 'hosts'))
  await expect.poll(hosts).not.toEqual([])
  await service.close({ grace: 1 })
  expect(await hosts()).toHaveLength(1)
})
