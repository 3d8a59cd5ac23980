import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { oneSlip } from '../../support/one-slip.ts'
import { chatRequest } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'

type Refusal = { status: number; body: object }
const notFound: Refusal = { status: 404, body: { error: { message: 'The model does not exist.' } } }

/** A server that knows no model, lists those named, and counts the requests for its list. */
async function openServer(listed: string[] | null, refusal: Refusal = notFound) {
  const seen = { lists: 0, keys: new Set<string | undefined>() }
  const server = createServer((request, response) => {
    const isList = request.method === 'GET'
    if (isList) seen.lists += 1
    seen.keys.add(request.headers.authorization)
    request.resume().on('end', () => {
      const data = listed?.map((id) => ({ id, object: 'model' }))
      const found = isList && listed !== null ? { status: 200, body: { object: 'list', data } } : refusal
      response.writeHead(found.status, { 'content-type': 'application/json' }).end(JSON.stringify(found.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  const endpoint = endpointSchema.parse({
    kind: 'openai',
    base_url: `http://127.0.0.1:${port}/v1`,
    api_key_env: 'KEY_OF_LAB',
    prices: { 'gpt-5-mini': { input: 1, output: 2 } },
  })
  const models = openModels(new Map([['lab', endpoint]]), { environment: { KEY_OF_LAB: 'secret' } })
  onTestFinished(() => models.close())
  const refused = (model: string): Promise<string> =>
    models
      .model('lab')
      .complete(chatRequest({ model }), { meter: recordingMeter() })
      .then(
        () => 'answered',
        (error: Error) => error.message,
      )
  return { refused, seen }
}

const listed = ['Qwen/Qwen3-8B', 'meta-llama/Llama-3.3-70B-Instruct', 'deepseek-reasoner']

test('one slip in a model that the endpoint lists or has a price for is answered with the model', async () => {
  const { refused, seen } = await openServer(listed)
  for (const model of [...listed, 'gpt-5-mini']) {
    await fc.assert(
      fc.asyncProperty(oneSlip(model), async (slipped) => {
        expect(await refused(slipped)).toContain(`Did you mean "${model}"?`)
      }),
      { numRuns: 8 },
    )
  }
  expect(seen.keys).toEqual(new Set(['Bearer secret']))
})

test.each<[string, Refusal, string]>([
  ['vLLM', { status: 404, body: { message: 'The model `x` does not exist.' } }, 'Qwen/Qwen3-8b'],
  ['OpenAI', { status: 404, body: { error: { message: 'x', code: 'model_not_found' } } }, 'qwen/qwen3-8b'],
  ['DeepSeek', { status: 400, body: { error: { message: 'Model Not Exist' } } }, 'deepseek-reasonr'],
  ['Mistral', { status: 400, body: { message: 'Invalid model: x' } }, 'deepseek-resoner'],
  ['FastAPI', { status: 422, body: { detail: 'unknown model' } }, 'deepseek-resoner'],
])('the refusal of %s is recognized', async (_server, refusal, model) => {
  const { refused } = await openServer(listed, refusal)
  expect(await refused(model)).toMatch(/Did you mean "(Qwen\/Qwen3-8B|deepseek-reasoner)"\?/)
})

test('nothing is suggested for a listed model, a distant name, a broken list or another refusal', async () => {
  const lists = await openServer(listed)
  expect(await lists.refused('Qwen/Qwen3-8B')).not.toContain('Did you mean')
  expect(await lists.refused('claude-opus')).not.toContain('Did you mean')
  const listless = await openServer(null)
  expect(await listless.refused('Qwen/Qwen3-8b')).not.toContain('Did you mean')
  const other = await openServer(listed, { status: 400, body: { error: { message: 'stop is too long' } } })
  expect(await other.refused('Qwen/Qwen3-8b')).not.toContain('Did you mean')
  expect(other.seen.lists).toBe(0)
})
