import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { LambdaEvent } from 'hono/aws-lambda'
import { beforeEach, expect, test } from 'vitest'
import { answerPages } from '../../../functions/show-pages/answer-pages.ts'
import { contentSecurityPolicy } from '../../../shared/core/contracts/page-headers.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const page = '<!doctype html><title>Espalier</title>'
const script = 'console.log(1)'
const browser = { accept: 'text/html,*/*;q=0.8', 'accept-encoding': 'gzip, deflate, br' }
let answer: ReturnType<typeof answerPages>

beforeEach(async () => {
  const root = await temporaryFolder()
  const folder = join(root, 'pages')
  await mkdir(join(folder, 'assets'), { recursive: true })
  await writeFile(join(root, 'index.mjs'), 'secret')
  await writeFile(join(folder, 'index.html'), page)
  await writeFile(join(folder, 'assets/index-1a2b.js'), script)
  await writeFile(join(folder, 'assets/index-1a2b.js.br'), brotliCompressSync(script))
  await writeFile(join(folder, 'assets/run-1a2b.webp'), Buffer.from([0xff, 0x00]))
  answer = answerPages(folder, 'https://data.s3.us-east-1.amazonaws.com')
})

async function ask(rawPath: string, headers: Record<string, string> = browser, method = 'GET') {
  const event = {
    version: '2.0',
    routeKey: `${method} /{path+}`,
    rawPath,
    rawQueryString: '',
    headers: { host: 'api.example.com', ...headers },
    requestContext: { http: { method, path: rawPath, sourceIp: '192.0.2.1' }, domainName: 'api.example.com' },
    isBase64Encoded: false,
  } as unknown as LambdaEvent
  const { statusCode, headers: given, body, isBase64Encoded } = await answer(event)
  return {
    status: statusCode,
    headers: given ?? {},
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  }
}

test.each(['/', '/runs', '/runs/run-1/episodes/ep-0000001', '/libraries/a.b', '/guide/first-steps'])(
  '%s is the page of the dashboard, over TLS alone, held to its own address and the bucket',
  async (path) => {
    const { status, headers, body } = await ask(path)
    expect(status).toBe(200)
    expect(String(body)).toBe(page)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurityPolicy('https://data.s3.us-east-1.amazonaws.com'),
      'strict-transport-security': 'max-age=31536000',
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
    })
  },
)

test('notebooks may frame the pages below /embed', async () => {
  const { headers } = await ask('/embed/runs/run-1')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'self' http://localhost:*")
  expect(headers).not.toHaveProperty('x-frame-options')
})

test('a file with a digest in its name is kept for good, compressed for who reads that', async () => {
  const packed = await ask('/assets/index-1a2b.js')
  expect(packed.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  expect(String(brotliDecompressSync(packed.body))).toBe(script)
  expect(String((await ask('/assets/index-1a2b.js', {})).body)).toBe(script)
  expect((await ask('/assets/run-1a2b.webp')).body).toEqual(Buffer.from([0xff, 0x00]))
})

test('a browser that has a file gets a 304, and HEAD gets no body', async () => {
  const { headers } = await ask('/runs')
  const again = await ask('/runs', { ...browser, 'if-none-match': String(headers.etag) })
  expect(again).toMatchObject({ status: 304, body: Buffer.from('') })
  const head = await ask('/assets/index-1a2b.js', browser, 'HEAD')
  expect(head).toMatchObject({ status: 200, body: Buffer.from('') })
  expect(head.headers.etag).toBe((await ask('/assets/index-1a2b.js')).headers.etag)
})

test.each([
  '/assets/gone-1a2b.js',
  '/index.mjs',
  '/assets/../../index.mjs',
  '/..%2findex.mjs',
  '/assets/..%2f..%2findex.mjs',
  '/..%5cindex.mjs',
  '//etc/passwd',
])('%s gives no file', async (path) => {
  const { status, body } = await ask(path, {})
  expect(status).toBe(404)
  expect(String(body)).not.toMatch(/secret|root:/)
})

test('programs get what the API would say, and nothing of it is answered here', async () => {
  expect(await ask('/', { accept: '*/*' })).toMatchObject({ status: 302, headers: { location: '/docs' } })
  for (const path of ['/nowhere', '/v1', '/v1/runs']) {
    const { status, body } = await ask(path, { accept: 'application/json' })
    expect(status, path).toBe(404)
    expect(JSON.parse(String(body))).toMatchObject({ error: { code: 'not_found' } })
  }
})
