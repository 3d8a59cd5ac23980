import { expect, it } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { answerJson, scriptedServer } from './scripted-server.ts'

function openLog(url: string | undefined) {
  const endpoint = endpointSchema.parse({
    kind: 'openai',
    base_url: 'http://127.0.0.1:9/v1',
    api_key_env: 'THE_KEY',
    ...(url === undefined ? {} : { call_log_url: url }),
  })
  const environment = { THE_KEY: 'sk-very-secret' }
  return openModels(new Map([['mine', endpoint]]), { environment }).callLog('mine')
}

it('answers the usage of a call, and that it was never seen', async () => {
  const urls: (string | undefined)[] = []
  const { baseUrl } = await scriptedServer((request, response, position) => {
    urls.push(request.url)
    if (position === 0) return answerJson(response, { id: 'x', input_tokens: 5, output_tokens: 6, cost: 0.5 })
    response.writeHead(404).end()
  })
  const log = openLog(`${baseUrl}/calls/`)
  expect(await log?.('run/1 a')).toEqual({ input_tokens: 5, output_tokens: 6, cost: 0.5 })
  expect(await log?.('other')).toBe('unseen')
  expect(urls).toEqual(['/v1/calls/run%2F1%20a', '/v1/calls/other'])
})

it('throws rather than guess when the log is down or talks nonsense', async () => {
  const { baseUrl } = await scriptedServer((_request, response, position) => {
    if (position === 0) response.writeHead(500).end()
    else if (position === 1) answerJson(response, { tokens: 5 })
    else response.end('<html>')
  })
  const log = openLog(baseUrl)
  for (const reason of ['status 500', 'input_tokens', 'no answer']) {
    await expect(log?.('x')).rejects.toMatchObject({
      code: 'endpoint_failed',
      message: expect.stringContaining(reason),
    })
  }
  await expect(openLog('http://127.0.0.1:9/calls')?.('x')).rejects.toThrow('no answer')
})

it('is null for endpoints without one', () => {
  expect(openLog(undefined)).toBeNull()
  expect(openModels(new Map([['s', endpointSchema.parse({ kind: 'simulated' })]])).callLog('s')).toBeNull()
})
