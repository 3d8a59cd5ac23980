import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { completion } from '../../play/models/chat-request.ts'
import { answerJson, scriptedServer } from '../../play/models/scripted-server.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { openTestEngine, toRequest, untilStatus, withTasks } from '../../support/open-test-engine.ts'
import { openTestWorld, testFolder } from '../world/local/local-test-world.ts'

const send = (response: ServerResponse, type: string, body: string) =>
  response.writeHead(200, { 'content-type': type }).end(body)
const choose = (message: object) => ({
  ...completion(''),
  choices: [{ index: 0, message, finish_reason: 'stop' }],
})

/** Sends pieces until the client has had enough. */
function sendOn(response: ServerResponse, piece: string, milliseconds: number): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(piece), milliseconds)
  response.on('close', () => clearInterval(timer))
}

test.each<[string, (response: ServerResponse) => void]>([
  ['no choices', (response) => answerJson(response, { ...completion(''), choices: [] })],
  ['an error object', (response) => answerJson(response, { error: { message: 'No provider is up.' } })],
  ['a page', (response) => send(response, 'text/html', '<html>Bad gateway</html>')],
  ['a stream', (response) => send(response, 'text/event-stream', 'data: {}\n\ndata: [DONE]\n\n')],
  ['content null', (response) => answerJson(response, choose({ content: null }))],
  [
    'a negative number of tokens',
    (response) => answerJson(response, completion('Action: a', { prompt_tokens: -1 })),
  ],
  [
    'a million million tokens',
    (response) => answerJson(response, completion('Action: a', { prompt_tokens: 1e12 })),
  ],
  ['an endless body', (response) => sendOn(response, 'x'.repeat(60_000), 1)],
  ['a body that trickles', (response) => sendOn(response, ' ', 20)],
  [
    'a body that stands still',
    (response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{'),
  ],
  ['a broken connection', (response) => response.destroy()],
  ['status 500', (response) => response.writeHead(500).end('no')],
])('%s gives no episode a reward, and every call is counted', async (_what, fail) => {
  const server = await scriptedServer((_request, response) => fail(response))
  const configuration = endpointSchema.parse({
    kind: 'openai',
    base_url: server.baseUrl,
    max_retries: 1,
    ...(_what.startsWith('a body') && { timeout: 2, idle_timeout: 0.2 }),
    max_answer_bytes: 100_000,
  })
  const models = openModels(new Map([['mine', configuration]]))
  onTestFinished(() => models.close())
  const engine = openTestEngine({
    world: await openTestWorld(await testFolder()),
    environment: withTasks(createHashEnvironment(1), 3),
    models,
  })
  await engine.worker.start()
  const request = toRequest({ model: { endpoint: 'mine', id: 'gpt-test' }, max_retries: 0 })
  const { id } = await engine.runs.create(request)
  const ended = await untilStatus(engine, id, 'succeeded', 'failed', 'paused')
  expect(ended).toMatchObject({ status: 'failed', episodes: { errored: 3, failed: 0, succeeded: 0 } })
  const { data } = await engine.runs.episodes(id, { limit: 10 })
  expect(data.map(({ result }) => result?.reward)).toEqual([null, null, null])
  expect(server.callIds).toHaveLength(6)
  // A status is a refusal, which costs nothing.
  expect(ended.lost_calls).toBe(_what === 'status 500' ? 0 : 6)
})
