import { expect, it, onTestFinished } from 'vitest'
import { createHttpTransport } from '../../../shared/play/models/open-http-models.ts'
import { heldTimers } from './held-timers.ts'
import { answerJson, scriptedServer } from './scripted-server.ts'

const bounds = { timeout: 60_000, idleTimeout: 60_000, maxBytes: 1000 }

function httpSender(changes: Partial<typeof bounds> = {}) {
  const { close, send } = createHttpTransport({ ...bounds, ...changes })
  onTestFinished(close)
  return (url: string, signal?: AbortSignal) =>
    send({ url, headers: { 'x-name': 'value' }, body: '{}', ...(signal && { signal }) })
}

it('gives the answer of the server: status, headers by any case, and body', async () => {
  const { baseUrl } = await scriptedServer((request, response) => {
    response.setHeader('retry-after', '7')
    answerJson(response, [request.method, request.headers['x-name'], request.headers['content-length']])
  })
  const { status, headers, text } = await httpSender()(baseUrl)
  expect([status, headers.get('Retry-After'), headers.get('x-other')]).toEqual([200, '7', null])
  expect(JSON.parse(text)).toEqual(['POST', 'value', '2'])
})

it('gives an answer without a body as one, and skips what servers say before an answer', async () => {
  const { baseUrl } = await scriptedServer((_request, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload; as=style' })
    response.writeHead(204).end()
  })
  expect(await httpSender()(baseUrl)).toMatchObject({ status: 204, text: '' })
})

it('ends with the signal or at its time, and names a refused connection by its code', async () => {
  const leaving = new AbortController()
  const timers = heldTimers(bounds.timeout)
  const { baseUrl } = await scriptedServer((_request, _response, position) =>
    position === 0 ? leaving.abort('enough') : timers.end(),
  )
  await expect(httpSender()(baseUrl, leaving.signal)).rejects.toBe('enough')
  await expect(httpSender()(baseUrl, AbortSignal.abort('enough'))).rejects.toMatchObject({ cause: 'enough' })
  await expect(httpSender()(baseUrl)).rejects.toMatchObject({ name: 'CallTimeoutError' })
  await expect(httpSender()('http://127.0.0.1:9')).rejects.toMatchObject({
    name: 'UnsentRequestError',
    cause: { code: 'ECONNREFUSED' },
  })
})

it('closes the connection of a call that it left, and asks the next over another', async () => {
  const left = Promise.withResolvers<void>()
  const { baseUrl } = await scriptedServer((request, response, position) => {
    if (position > 0) return answerJson(response, {})
    request.socket.once('close', () => left.resolve())
    response.writeHead(200).write('x'.repeat(2000))
  })
  const send = httpSender()
  await expect(send(baseUrl)).rejects.toThrow('longer than 1000 bytes')
  await left.promise
  expect((await send(baseUrl)).text).toBe('{}')
})

it.each(['http://127.0.0.1:9/v1', 'http://[::169.254.169.254]/v1', 'http://localhost:9/v1'])(
  'asks no internal address where only public ones are asked: %s',
  async (url) => {
    const { send, close } = createHttpTransport({ ...bounds, network: 'public' })
    await expect(send({ url, headers: {}, body: '{}' })).rejects.toMatchObject({
      cause: { code: 'ERR_INTERNAL_ADDRESS' },
    })
    await close()
  },
)
