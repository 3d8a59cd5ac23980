import { expect, test } from 'vitest'
import { addFileRoute } from '../../local/file-route.ts'
import { signAddress, verifySignature } from '../../shared/core/world/local/signed-address.ts'
import { openTestApi, readError } from '../functions/api/open-test-api.ts'

const secret = new Uint8Array(32).fill(7)
const now = 1_800_000_000_000
const text = '0123456789'
const large = Buffer.alloc(2_500_000, 'abcdefg')

function openTestFiles() {
  const bodies = new Map<string, Buffer>([
    ['datasets/d/data-00001.jsonl.gz', Buffer.from(text)],
    ['empty.json', Buffer.alloc(0)],
    ['large.bin', large],
  ])
  const reads: number[] = []
  const { app } = openTestApi()
  addFileRoute(app, {
    objects: {
      async head(key) {
        const body = bodies.get(key)
        return body === undefined ? null : { key, size: body.length, etag: 'e1' }
      },
      async get(key, range = { start: 0 }) {
        const body = bodies.get(key)
        if (body === undefined) return null
        const part = body.subarray(range.start, (range.end ?? body.length) + 1)
        reads.push(part.length)
        return { key, size: body.length, etag: 'e1', content_type: null, body: part }
      },
    },
    verify: (address) => verifySignature(secret, address, now),
  })
  const addressOf = (key: string, file_name: string | null = null, expires = now / 1000 + 60) =>
    signAddress(secret, { key, file_name }, expires)
  return { app, addressOf, bodies, reads }
}

test('a signed address downloads the file under its name, without a key', async () => {
  const { app, addressOf } = openTestFiles()
  const answer = await app.request(addressOf('datasets/d/data-00001.jsonl.gz', 'd – Täfel "1".jsonl.gz'))
  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe(text)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'accept-ranges': 'bytes',
    'content-length': '10',
    'content-type': 'application/gzip',
    'x-content-type-options': 'nosniff',
    etag: '"e1"',
  })
  const disposition = answer.headers.get('Content-Disposition') ?? ''
  expect(disposition).toContain('filename="d _ T_fel _1_.jsonl.gz"')
  expect(decodeURIComponent(disposition.split("UTF-8''")[1] ?? '')).toBe('d – Täfel "1".jsonl.gz')
})

test.each([
  ['bytes=2-4', '234', 'bytes 2-4/10'],
  ['bytes=-2', '89', 'bytes 8-9/10'],
  ['bytes=7-', '789', 'bytes 7-9/10'],
])('the range %s is answered with that part', async (range, part, contentRange) => {
  const { app, addressOf } = openTestFiles()
  const answer = await app.request(addressOf('datasets/d/data-00001.jsonl.gz'), { headers: { Range: range } })
  expect(answer.status).toBe(206)
  expect(answer.headers.get('Content-Range')).toBe(contentRange)
  expect(answer.headers.get('Content-Length')).toBe(String(part.length))
  expect(await answer.text()).toBe(part)
})

test('a range outside the file is a 416 that says how long it is', async () => {
  const { app, addressOf } = openTestFiles()
  const answer = await app.request(addressOf('datasets/d/data-00001.jsonl.gz'), {
    headers: { Range: 'bytes=10-' },
  })
  expect(answer.headers.get('Content-Range')).toBe('bytes */10')
  expect(await readError(answer)).toMatchObject({ status: 416, code: 'invalid_request' })
})

test('a range of a file that was replaced since is answered with the whole file', async () => {
  const { app, addressOf } = openTestFiles()
  const headers = (etag: string) => ({ headers: { Range: 'bytes=0-1', 'If-Range': etag } })
  const address = addressOf('datasets/d/data-00001.jsonl.gz')
  expect((await app.request(address, headers('"e1"'))).status).toBe(206)
  expect((await app.request(address, headers('"e0"'))).status).toBe(200)
})

test('a large file is read piece by piece', async () => {
  const { app, addressOf, reads } = openTestFiles()
  const answer = await app.request(addressOf('large.bin'))
  expect(Buffer.from(await answer.arrayBuffer()).equals(large)).toBe(true)
  expect(Math.max(...reads)).toBeLessThanOrEqual(1024 * 1024)
})

test('an empty file and HEAD have no body', async () => {
  const { app, addressOf } = openTestFiles()
  const empty = await app.request(addressOf('empty.json'))
  expect([empty.status, empty.headers.get('Content-Length'), await empty.text()]).toEqual([200, '0', ''])
  const head = await app.request(addressOf('large.bin'), { method: 'HEAD' })
  expect([head.status, head.headers.get('Content-Length'), await head.text()]).toEqual([200, '2500000', ''])
})

test('an address that was changed or has expired is refused', async () => {
  const { app, addressOf } = openTestFiles()
  const address = addressOf('datasets/d/data-00001.jsonl.gz')
  const others = [
    address.replace('data-00001', 'data-00002'),
    address.replace(/signature=.{4}/, 'signature=AAAA'),
    address.split('?')[0] ?? '',
    addressOf('datasets/d/data-00001.jsonl.gz', null, now / 1000 - 1),
  ]
  for (const other of others) {
    expect(await readError(await app.request(other)), other).toMatchObject({
      status: 403,
      code: 'invalid_signature',
    })
  }
})

test('a file that is gone is a 404', async () => {
  const { app, addressOf } = openTestFiles()
  expect(await readError(await app.request(addressOf('gone.json')))).toMatchObject({ status: 404 })
})
