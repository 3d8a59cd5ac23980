import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tryDashboard } from '../../canary/nightly/try-dashboard.ts'
import { openService } from '../../local/open-service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function open(auth: 'none' | 'keys') {
  const pages = await temporaryFolder()
  await mkdir(join(pages, 'assets'))
  await writeFile(
    join(pages, 'index.html'),
    '<script type="module" crossorigin src="/assets/a-1.js"></script>',
  )
  await writeFile(join(pages, 'assets/a-1.js'), 'start()')
  const options = { folder: await temporaryFolder(), port: 0, host: '127.0.0.1', work: false, pages }
  const service = await openService({ ...options, auth, log: () => undefined })
  onTestFinished(() => service.close({ grace: 0 }))
  return service.address
}

test('an address that answers runs without a key is named', async () => {
  await expect(tryDashboard({ api: await open('none'), key: 'any' })).rejects.toThrow(
    /\/v1\/runs without a key: 200, not 401$/,
  )
})

test('a wrong key is named', async () => {
  await expect(tryDashboard({ api: await open('keys'), key: 'esp_wrong' })).rejects.toThrow(
    /^\/v1\/runs with a key: 401, not 200$/,
  )
})

test('a stage that keeps to its routes passes with a key of its own', async () => {
  const api = await open('none')
  const refused = new Set<string>()
  const gateway = createServer(async (request, response) => {
    const { url = '/', headers } = request
    const isRefused = url.startsWith('/v1') && headers.authorization === undefined
    if (isRefused) refused.add(url)
    const answer = await fetch(new URL(url, api), { headers: { accept: headers.accept ?? '*/*' } })
    response.writeHead(isRefused ? 401 : answer.status).end(await answer.text())
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void gateway.close())
  const address = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`
  expect(await tryDashboard({ api: address, key: 'any' })).toHaveLength(6)
  expect([...refused]).toEqual(['/v1/runs'])
})
