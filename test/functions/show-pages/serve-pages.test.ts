import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { servePages } from '../../../functions/show-pages/serve-pages.ts'
import { openService } from '../../../local/open-service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { readError } from '../api/open-test-api.ts'

const page = '<!doctype html><title>Espalier</title>'
const script = 'console.log(1)'
const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
let folder: string

beforeEach(async () => {
  folder = await temporaryFolder()
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'index.html'), page)
  await writeFile(join(folder, '.stamp'), 'secret')
  await writeFile(join(folder, 'theme.js'), 'theme')
  await writeFile(join(folder, 'assets/index-1a2b.js'), script)
  await writeFile(join(folder, 'assets/index-1a2b.js.br'), brotliCompressSync(script))
  await writeFile(join(folder, 'assets/index-1a2b.js.gz'), gzipSync(script))
})

function get(path: string, headers: Record<string, string> = browser, method = 'GET') {
  return servePages(folder)(new Request(`http://127.0.0.1:8080${path}`, { headers, method }))
}

test.each(['/', '/runs', '/runs/run-1/episodes/ep-0000001?node=3', '/libraries/a.b'])(
  '%s is the page, asked for again each time',
  async (path) => {
    const answer = await get(path)
    expect(answer?.status).toBe(200)
    expect(answer?.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(answer?.headers.get('Cache-Control')).toBe('no-cache')
    expect(await answer?.text()).toBe(page)
  },
)

test.each(['/v1', '/v1/runs', '/docs', '/docs/swagger-ui.css', '/health', '/openapi.json'])(
  '%s stays the API’s, also for browsers',
  (path) => {
    expect(get(path)).toBeNull()
  },
)

test('what asks for no page, and what changes something, is the API’s to answer', () => {
  expect(get('/nowhere', { Accept: 'application/json' })).toBeNull()
  expect(get('/nowhere', {})).toBeNull()
  expect(get('/runs', browser, 'POST')).toBeNull()
})

test('files that carry a digest are kept for good, and go out as small as the browser reads them', async () => {
  const plain = await get('/assets/index-1a2b.js', {})
  expect(plain?.headers.get('Cache-Control')).toContain('immutable')
  expect(plain?.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
  expect(await plain?.text()).toBe(script)
  const forms: [string, string | null, (body: Buffer) => Buffer][] = [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['identity', null, (body) => body],
  ]
  for (const [accepted, encoding, unpack] of forms) {
    const answer = await get('/assets/index-1a2b.js', { 'Accept-Encoding': accepted })
    expect(answer?.headers.get('Content-Encoding'), accepted).toBe(encoding)
    expect(answer?.headers.get('Vary')).toBe('Accept-Encoding')
    const body = Buffer.from((await answer?.arrayBuffer()) ?? new ArrayBuffer())
    expect(answer?.headers.get('Content-Length')).toBe(String(body.byteLength))
    expect(unpack(body).toString()).toBe(script)
  }
})

test('a browser that has a file gets a 304, and HEAD gets no body', async () => {
  const first = await get('/theme.js')
  const headers = { 'If-None-Match': first?.headers.get('ETag') ?? '' }
  expect((await get('/theme.js', headers))?.status).toBe(304)
  await writeFile(join(folder, 'theme.js'), 'another theme')
  expect((await get('/theme.js', headers))?.status).toBe(200)
  const head = await get('/', browser, 'HEAD')
  expect(head?.headers.get('Content-Length')).toBe(String(page.length))
  expect(await head?.text()).toBe('')
})

test.each([
  '/assets/gone-1a2b.js',
  '/.stamp',
  '/../package.json',
  '/assets/..%2f.stamp',
  '/assets/%2e%2e/.stamp',
  '/..%5cindex.js',
  '/assets/../../../etc/passwd',
])('%s gives no file', async (path) => {
  const answer = await get(path)
  expect(await answer?.text()).not.toMatch(/secret|root:|espalier"/)
  if (path.includes('gone')) expect(answer?.status).toBe(404)
})

test('a dashboard that is not built says how to build it', async () => {
  const answer = await servePages(join(folder, 'nothing'))(
    new Request('http://127.0.0.1:8080/', { headers: browser }),
  )
  expect(answer?.status).toBe(503)
  expect(await answer?.text()).toContain('npm run build:web')
})

describe('the service', () => {
  async function open(auth: 'none' | 'keys', host = '127.0.0.1') {
    const options = { folder: await temporaryFolder(), port: 0, auth, host, work: false, pages: folder }
    const service = await openService({ ...options, log: () => undefined })
    onTestFinished(() => service.close({ grace: 0 }))
    return (path: string, headers: Record<string, string>) =>
      fetch(new URL(path, service.address.replace('0.0.0.0', '127.0.0.1')), { headers, redirect: 'manual' })
  }

  test.each(['127.0.0.1', '0.0.0.0'])('on %s shows pages to everybody and data to keys', async (host) => {
    const ask = await open('keys', host)
    const shown = await ask('/runs', browser)
    expect(shown.status).toBe(200)
    expect(await shown.text()).toBe(page)
    expect((await ask('/assets/index-1a2b.js', {})).status).toBe(200)
    expect(await readError(await ask('/v1/runs', browser))).toMatchObject({
      status: 401,
      code: 'missing_key',
    })
    expect((await ask('/nowhere', { Accept: 'application/json' })).status).toBe(401)
  })

  test('holds the page to its own origin', async () => {
    const { headers } = await (await open('none'))('/', browser)
    const policy = headers.get('Content-Security-Policy')?.split('; ')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "connect-src 'self'"]),
    )
    expect(policy?.join()).not.toMatch(/unsafe|\*|https?:|data:/)
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff')
    expect(headers.get('Referrer-Policy')).toBe('no-referrer')
    expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin')
    expect(headers.get('Permissions-Policy')).toContain('camera=()')
  })

  test('lets notebooks of this machine frame the pages without navigation, and no other page', async () => {
    const ask = await open('keys')
    const framers = async (path: string) =>
      /frame-ancestors ([^;]*)/.exec(
        (await ask(path, browser)).headers.get('Content-Security-Policy') ?? '',
      )?.[1]
    expect(await framers('/runs/run-1')).toBe("'none'")
    expect(await framers('/embedded')).toBe("'none'")
    expect((await framers('/embed/runs/run-1'))?.split(' ')).toEqual(
      expect.arrayContaining(["'self'", 'http://localhost:*', 'vscode-webview:']),
    )
  })

  test('answers programs as before', async () => {
    const ask = await open('none')
    expect((await ask('/', { Accept: '*/*' })).headers.get('Location')).toBe('/docs')
    expect(await readError(await ask('/nowhere', { Accept: 'application/json' }))).toMatchObject({
      status: 404,
      code: 'not_found',
    })
    expect(await readError(await ask('/v1/nowhere', browser))).toMatchObject({ status: 404 })
  })
})
