import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { azureIdentityProvider } from '../../../shared/play/models/endpoint-addresses.ts'
import { chatRequest, completion } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

const answered = () => Response.json(completion('hello'))
const azure = { kind: 'azure', base_url: 'https://trees.openai.azure.com/', api_version: '2024-10-21' }

it('calls the deployment with the version and a fresh bearer token of the provider', async () => {
  let token = 0
  const tokenProvider = async () => `token-${++token}`
  const endpoint = { ...azure, deployment: 'my-gpt', token_provider: 'azure-identity' }
  const { model, seen } = scriptedModels([answered], endpoint, { tokenProvider })
  await model.complete(chatRequest(), { meter: recordingMeter() })
  await model.complete(chatRequest(), { meter: recordingMeter() })
  expect(seen[0]?.url).toBe(
    'https://trees.openai.azure.com/openai/deployments/my-gpt/chat/completions?api-version=2024-10-21',
  )
  expect(seen.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer token-1',
    'Bearer token-2',
  ])
  expect(seen[0]?.headers.has('api-key')).toBe(false)
  expect(seen[0]?.body).toMatchObject({ max_completion_tokens: 100, seed: 7 })
})

it('takes the model for the deployment, and sends a key as api-key', async () => {
  const { model, seen } = scriptedModels([answered], { ...azure, api_key_env: 'THE_KEY' })
  await model.complete(chatRequest({ model: 'gpt-test' }), { meter: recordingMeter() })
  expect(seen[0]?.url).toContain('/openai/deployments/gpt-test/chat/completions')
  expect(seen[0]?.headers.get('api-key')).toBe('sk-very-secret-1234')
  expect(seen[0]?.headers.has('authorization')).toBe(false)
})

it('releases a call for which no token could be had: it was never sent', async () => {
  const tokenProvider = () => Promise.reject(new Error('no identity here'))
  const endpoint = { ...azure, token_provider: 'azure-identity' }
  const { model, seen } = scriptedModels([answered], endpoint, { tokenProvider })
  const meter = recordingMeter()
  await expect(model.complete(chatRequest(), { meter })).rejects.toMatchObject({
    name: 'ModelError',
    message: expect.stringContaining('no identity here'),
  })
  expect(meter.events).toEqual(['reserve call-0', 'release call-0'])
  expect(seen).toEqual([])
})

it('asks for tokens of the scope that the endpoint names', async () => {
  const asked: (string | null)[] = []
  const server = createServer((request, response) => {
    asked.push(new URL(request.url ?? '', 'http://localhost').searchParams.get('resource'))
    const expires_on = String(Math.floor(Date.now() / 1000) + 3600)
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        access_token: 'token-of-gateway',
        expires_on,
        resource: asked.at(-1),
        token_type: 'Bearer',
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  // The managed identity of an app is the one source of tokens that is plain HTTP.
  vi.stubEnv('IDENTITY_ENDPOINT', `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`)
  vi.stubEnv('IDENTITY_HEADER', 'secret')
  vi.stubEnv('AZURE_TOKEN_CREDENTIALS', 'ManagedIdentityCredential')
  onTestFinished(() => void vi.unstubAllEnvs())
  const endpoint = endpointSchema.parse({
    ...azure,
    token_provider: 'azure-identity',
    token_scope: 'https://gateway.example/.default',
  })
  if (endpoint.kind !== 'azure') throw new Error('The endpoint is of another kind.')
  expect(await azureIdentityProvider(endpoint.token_scope)()).toBe('token-of-gateway')
  expect(asked).toEqual(['https://gateway.example'])
})
