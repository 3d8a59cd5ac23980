import { expect, it, onTestFinished } from 'vitest'
import { createHttpFetch } from '../../../shared/play/models/http-fetch.ts'
import { answerJson, scriptedServer } from './scripted-server.ts'

function httpFetch(timeout = 1000) {
  const { close, fetch } = createHttpFetch({ timeout, idleTimeout: 1000, maxBytes: 1000 })
  onTestFinished(close)
  return fetch
}

it('gives what the server answered: status, headers and body', async () => {
  const { baseUrl } = await scriptedServer((_request, response) => {
    response.setHeader('retry-after', '7')
    answerJson(response, { fine: true })
  })
  const response = await httpFetch()(baseUrl, { method: 'POST', body: '{}', headers: { 'X-Name': 'value' } })
  expect([response.status, response.headers.get('retry-after')]).toEqual([200, '7'])
  expect(await response.json()).toEqual({ fine: true })
})

it('gives an answer without a body as one', async () => {
  const { baseUrl } = await scriptedServer((_request, response) => response.writeHead(204).end())
  const response = await httpFetch()(baseUrl)
  expect([response.status, await response.text()]).toEqual([204, ''])
})

it('ends with the signal, and names a refused connection by its code', async () => {
  const { baseUrl } = await scriptedServer(() => undefined)
  const fetch = httpFetch()
  await expect(fetch(baseUrl, { signal: AbortSignal.timeout(30) })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  await expect(fetch('http://127.0.0.1:9')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})

it.each(['http://127.0.0.1:9/v1', 'http://[::169.254.169.254]/v1', 'http://localhost:9/v1'])(
  'asks no internal address where only public ones are asked: %s',
  async (address) => {
    const { fetch, close } = createHttpFetch({
      timeout: 1000,
      idleTimeout: 1000,
      maxBytes: 1000,
      network: 'public',
    })
    await expect(fetch(address)).rejects.toMatchObject({ code: 'ERR_INTERNAL_ADDRESS' })
    await close()
  },
)
