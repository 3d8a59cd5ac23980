import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type BundledFiles, bundleFunction } from '../../infra/bundle-function.ts'
import { completion } from '../play/models/chat-request.ts'
import { answerJson, scriptedServer } from '../play/models/scripted-server.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { bundleFunctions, runInBundle, sizesOf } from './bundled-functions.ts'

const functions = [
  'advance-episodes',
  'api',
  'authorizer',
  'build-dataset',
  'call-host',
  'dead-letters',
  'put-pages',
  'scale-hosts',
  'sweep',
]
/**
 * Aims: bytes that are read at each start, and milliseconds until they are imported. `api` describes every route, parameter
 * and preset besides.
 */
const aims = { size: 1_600_000, sizeOfApi: 2_000_000, milliseconds: 250 }
const figures: Record<string, string>[] = []
let bundles: Awaited<ReturnType<typeof bundleFunctions>>

beforeAll(async () => {
  const start = performance.now()
  bundles = await bundleFunctions()
  console.log(`synthesised with all bundles in ${((performance.now() - start) / 1000).toFixed(1)} s`)
}, 300_000)

afterAll(async () => {
  await bundles.remove()
  console.table(figures)
  console.log(
    `aims: read at start ≤ ${aims.size / 1e6} MB (api ${aims.sizeOfApi / 1e6}), import ≤ ${aims.milliseconds} ms (not asserted)`,
  )
})

function folderOf(name: string): string {
  const folder = bundles.folders.get(name)
  if (folder === undefined) throw new Error(`${name} has no bundle.`)
  return folder
}

test('each function has a bundle, and no two have the same', async () => {
  expect([...bundles.folders.keys()].sort()).toEqual(functions)
  const codes = await Promise.all(
    functions.map((name) => readFile(join(folderOf(name), 'index.mjs'), 'utf8')),
  )
  expect(new Set(codes).size).toBe(functions.length)
})

test.each(functions)('%s starts from its folder alone', async (name) => {
  const folder = folderOf(name)
  const times: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const script = 'return { handler: typeof bundle.handler, milliseconds }'
    const started = (await runInBundle(folder, script)) as { handler: string; milliseconds: number }
    expect(started.handler).toBe('function')
    times.push(started.milliseconds)
  }
  const median = times.sort((a, b) => a - b)[1] ?? 0
  const { start, all, packed } = await sizesOf(folder)
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`
  figures.push({
    function: name,
    'read at start': megabytes(start),
    'all files': megabytes(all),
    packed: megabytes(packed),
    import: `${median.toFixed(0)} ms`,
  })
  expect(start).toBeLessThanOrEqual(name === 'api' ? aims.sizeOfApi : aims.size)
})

test('put-pages carries the dashboard as browsers get it from CloudFront', async () => {
  const files = await readdir(join(folderOf('put-pages'), 'pages'), { recursive: true })
  expect(files.sort()).toEqual(['assets', 'assets/index-1a2b.js', 'index.html'])
})

test('show-pages answers from its folder, which carries what browsers read compressed', async () => {
  const pages = await temporaryFolder()
  for (const name of ['index.html', 'index.html.br', 'index.html.gz', '.stamp'])
    await writeFile(join(pages, name), `<!-- ${name} -->`)
  const folder = await bundled('../../../functions/show-pages/handler.ts', { pages, packed: true })
  expect((await readdir(join(folder, 'pages'))).sort()).toEqual(['index.html', 'index.html.br'])
  const event = eventOf('/runs/run-1', { accept: 'text/html', 'accept-encoding': 'gzip' })
  const answer = (await runInBundle(folder, `return bundle.handler(${event}, ${context})`)) as {
    body: string
  }
  expect(answer).toMatchObject({ statusCode: 200, body: '<!-- index.html -->' })
  const { start } = await sizesOf(folder)
  expect(start).toBeLessThan(aims.size / 3)
})

test.each(['/docs', '/docs/swagger-ui-bundle.js', '/openapi.json'])(
  'api answers %s from its folder',
  async (path) => {
    const event = eventOf(path, { 'accept-encoding': 'gzip' })
    const answer = (await runInBundle(folderOf('api'), `return bundle.handler(${event}, ${context})`)) as {
      statusCode: number
      headers: Record<string, string>
      body: string
      isBase64Encoded: boolean
    }
    expect(answer.statusCode).toBe(200)
    const body = Buffer.from(answer.body, answer.isBase64Encoded ? 'base64' : 'utf8')
    const text = String(answer.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
    expect(text.length).toBeGreaterThan(500)
  },
)

const context = "{ awsRequestId: '1', functionName: 'function', getRemainingTimeInMillis: () => 29000 }"

function eventOf(path: string, headers: Record<string, string>): string {
  return JSON.stringify({
    version: '2.0',
    rawPath: path,
    rawQueryString: '',
    headers: { host: 'api.example.com', ...headers },
    requestContext: { http: { method: 'GET', path, sourceIp: '192.0.2.1' }, domainName: 'api.example.com' },
    isBase64Encoded: false,
  })
}

async function bundled(entry: string, files: BundledFiles = {}): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'espalier-bundle-'))
  onTestFinished(() => rm(out, { recursive: true }))
  await bundleFunction({ entry: join(import.meta.dirname, 'entries', entry), out, files })
  return out
}

test('the sandbox runs JavaScript from a bundle, its WebAssembly included', async () => {
  const folder = await bundled('run-javascript.ts')
  const code = 'print([1, 2, 3].map((n) => n * n)); act("go")'
  expect(await runInBundle(folder, `return bundle.handler(${JSON.stringify(code)})`)).toBe(
    '{"type":"acts","action":"go"}',
  )
})

test('the sandbox does not run programs on the calling thread where the file of its threads is missing', async () => {
  const folder = await bundled('run-javascript.ts')
  await rm(join(folder, 'sandbox-thread.mjs'))
  const script = `return bundle.handler('act("go")').catch((error) => error.name)`
  expect(await runInBundle(folder, script)).toBe('ThreadUnavailableError')
})

test('the stack of a bug names the line of the source that it is in', async () => {
  const stack = String(await runInBundle(await bundled('fail.ts'), 'return bundle.handler()'))
  expect(stack).toMatch(/entries\/fail\.ts:11:/)
  expect(stack).not.toContain('index.mjs:')
})

test('rows of every container, YAML and token counts are made from a bundle', async () => {
  const made = await runInBundle(await bundled('write-rows.ts'), 'return bundle.handler("hello world")')
  expect(made).toEqual({
    sizes: { jsonl: expect.any(Number), json: expect.any(Number), parquet: expect.any(Number) },
    yaml: 'chat_template: tokenizer_default',
    tokens: 2,
  })
})

test('a real model is asked over HTTP from a bundle', async () => {
  const server = await scriptedServer((_request, response) => answerJson(response, completion('hello')))
  const folder = await bundled('ask-model.ts')
  expect(await runInBundle(folder, `return bundle.handler(${JSON.stringify(server.baseUrl)})`)).toBe('hello')
})
