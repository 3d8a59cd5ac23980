import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { openPictureSource } from '../../../shared/core/pictures/picture-source.ts'
import { openPictureStore } from '../../../shared/core/pictures/picture-store.ts'
import { openEndpointDirectory } from '../../../shared/play/models/endpoint-directory.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { openEndpoints } from '../../../shared/play/models/open-endpoints.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { completionOf } from './chat-request.ts'
import { answerJson } from './scripted-server.ts'

interface Body {
  n?: number
  messages: { content: string | { type: string; image_url?: { url: string } }[] }[]
}

/** An endpoint of that server, and the way to test it. */
async function openAgainst(answer: (body: Body, response: ServerResponse) => unknown) {
  const bodies: Body[] = []
  const server = createServer(async (request, response) => {
    // A refused model is looked for in the server's list.
    if (request.method === 'GET') return response.writeHead(404).end()
    const body = (await json(request)) as Body
    bodies.push(body)
    const said = answer(body, response)
    if (said !== undefined) answerJson(response, said)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { objects, ledger, clock } = await openTestWorld()
  const endpoint = endpointSchema.parse({
    kind: 'openai',
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    max_retries: 5,
    prices: { small: { input: 1, output: 2 } },
  })
  const directory = openEndpointDirectory({ ledger, clock })
  const models = openModels(new Map([['mine', endpoint]]), {
    directory,
    environment: {},
    pictures: openPictureSource(objects),
  })
  onTestFinished(() => models.close())
  const pictures = openPictureStore(objects)
  const endpoints = openEndpoints({ models, directory, network: 'any', pictures, now: () => 0 })
  return { endpoints, bodies }
}

const isLong = ({ messages }: Body) => (messages[0]?.content.length ?? 0) > 10_000
const isPicture = ({ messages }: Body) => typeof messages[0]?.content !== 'string'

test('one question is asked where no features are, and its end and its price are shown', async () => {
  const { endpoints, bodies } = await openAgainst(() => completionOf(['ready']))
  expect(await endpoints.test('mine')).toEqual({
    object: 'endpoint_test',
    endpoint: 'mine',
    model: 'small',
    ok: true,
    latency: 0,
    answer: 'ready',
    finish_reason: 'stop',
    usage: { input_tokens: 9, output_tokens: 3, cost: 0.000015 },
    features: null,
    error: null,
  })
  expect(bodies).toHaveLength(1)
})

test('features that an endpoint has are seen in what it answers', async () => {
  const { endpoints, bodies } = await openAgainst((body) => ({
    ...completionOf(isPicture(body) ? ['Red.'] : Array(body.n ?? 1).fill('ready')),
    ...(isLong(body) && { usage: { prompt_tokens: 12_000, completion_tokens: 3 } }),
  }))
  const { features, usage } = await endpoints.test('mine', { features: true })
  expect(features).toEqual([
    { id: 'choices', works: true, note: 'two choices came in one request' },
    { id: 'pictures', works: true, note: 'it saw that a red picture is red' },
    { id: 'window', works: true, note: 'a prompt of 6000 words was counted as 12000 tokens' },
    { id: 'tokens', works: false, note: expect.stringContaining('it gave none') },
  ])
  expect(usage).toMatchObject({ input_tokens: 12_036, output_tokens: 18 })
  expect(JSON.stringify(bodies[2])).toContain('"image_url":{"url":"data:image/png;base64,')
})

test.each([
  [
    { prompt_token_ids: [1], token_ids: [2] },
    true,
    'ids of the prompt, ids of the answer, log-probabilities',
  ],
  [{}, null, 'it gave log-probabilities alone: if its server is vLLM'],
])('the tokens that an endpoint gives with %j are named', async (more, works, note) => {
  const { endpoints, bodies } = await openAgainst((body) => {
    const { choices, ...rest } = completionOf(Array(body.n ?? 1).fill('ready'))
    const logprobs = { content: [{ token: 'ready', logprob: -1 }] }
    return { ...rest, choices: choices.map((choice) => ({ ...choice, logprobs, ...more })) }
  })
  const { features } = await endpoints.test('mine', { features: true })
  expect(features?.[3]).toEqual({ id: 'tokens', works, note: expect.stringContaining(note) })
  expect(bodies.map((body) => 'logprobs' in body)).toEqual([false, false, false, false, true])
})

test('those that it has not are named, with what it said', async () => {
  const { endpoints } = await openAgainst((body, response) => {
    if (!isPicture(body)) return completionOf(['ready'])
    response.statusCode = 400
    return { error: { message: 'This model reads no images.' } }
  })
  const { features, ok } = await endpoints.test('mine', { features: true })
  expect(ok).toBe(true)
  expect(features?.[0]).toMatchObject({
    id: 'choices',
    works: false,
    note: expect.stringContaining('2 requests'),
  })
  expect(features?.[1]).toMatchObject({ works: false, note: expect.stringContaining('reads no images') })
})

test('a server that cuts prompts to its window shows by what it counts', async () => {
  const { endpoints } = await openAgainst((body) => ({
    ...completionOf(Array(body.n ?? 1).fill('ready')),
    usage: { prompt_tokens: isLong(body) ? 4096 : 12, completion_tokens: 3 },
  }))
  const { features, ok, warnings } = await endpoints.test('mine', { features: true })
  expect(ok).toBe(true)
  expect(features?.[2]).toMatchObject({ id: 'window', works: false, note: expect.stringContaining('4096') })
  expect(warnings).toEqual([
    expect.objectContaining({ code: 'short_prompt_count', endpoint: 'mine', model: 'small' }),
  ])
})

test('a picture that is taken and not seen is shown as neither', async () => {
  const { endpoints } = await openAgainst(() => completionOf(['I see nothing.']))
  const { features } = await endpoints.test('mine', { features: true })
  expect(features?.[1]).toMatchObject({
    id: 'pictures',
    works: null,
    note: expect.stringContaining('I see nothing.'),
  })
})

test('an endpoint that does not answer is asked nothing more', async () => {
  const { endpoints, bodies } = await openAgainst((_, response) => {
    response.statusCode = 401
    return { error: { message: 'No such key.' } }
  })
  const { error, features, ok, usage } = await endpoints.test('mine', { features: true })
  expect({ features, ok, usage }).toEqual({ features: null, ok: false, usage: null })
  expect(error).toContain('No such key.')
  expect(bodies).toHaveLength(1)
})
