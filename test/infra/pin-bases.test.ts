import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { lookUpDigest } from '../../infra/images/pin-bases.ts'

const digest = `sha256:${'ab'.repeat(32)}`

/** A registry by the distribution specification, which asks for a token first, as Docker Hub does. */
async function openRegistry(): Promise<string> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://registry')
    if (pathname === '/token') {
      response.end(
        JSON.stringify({ token: `for ${searchParams.get('service')} ${searchParams.get('scope')}` }),
      )
      return
    }
    const scope = 'repository:library/node:pull'
    if (request.headers.authorization !== `Bearer for hub ${scope}`) {
      const realm = `http://${request.headers.host}/token`
      response.setHeader('www-authenticate', `Bearer realm="${realm}",service="hub",scope="${scope}"`)
      response.writeHead(401).end()
      return
    }
    const isIndex = request.headers.accept?.includes('image.index') === true
    if (pathname !== '/v2/library/node/manifests/24-slim' || !isIndex) response.writeHead(404).end()
    else response.setHeader('docker-content-digest', digest).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the digest of a tag is that of its index of platforms, asked for with a token', async () => {
  const registry = await openRegistry()
  expect(await lookUpDigest('node:24-slim', registry)).toBe(digest)
  await expect(lookUpDigest('node:25-slim', registry)).rejects.toThrow(/node:25-slim .* answered 404/)
})

test('a registry that cannot be reached is named', async () => {
  await expect(lookUpDigest('node:24-slim', 'http://127.0.0.1:1')).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('http://127.0.0.1:1 cannot be reached'),
  })
})
