import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeEndpoint {
  address: string
  calls(): number
  close(): Promise<void>
}

/**
 * Starts a chat-completions server on 127.0.0.1 that plays any environment badly: it always takes the inventory. To a
 * client it resembles a class of real servers: JSON, usage, no tools, no logprobs.
 * @param latency - milliseconds before each answer
 */
export async function startFakeEndpoint(latency = 0): Promise<FakeEndpoint> {
  let calls = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const isChat = request.method === 'POST' && request.url === '/v1/chat/completions'
      if (isChat) calls += 1
      const body = isChat ? completion(calls) : { object: 'list', data: [{ id: 'fake', object: 'model' }] }
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }, latency)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/v1`,
    calls: () => calls,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function completion(number: number): object {
  return {
    id: `chatcmpl-${number}`,
    object: 'chat.completion',
    created: 0,
    model: 'fake',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: 'Thought: I look at what I have.\nAction: inventory' },
      },
    ],
    usage: { prompt_tokens: 900, completion_tokens: 12, total_tokens: 912 },
  }
}
