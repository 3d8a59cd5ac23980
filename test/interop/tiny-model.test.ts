import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { pythonWith } from '../support/python-venv.ts'
import { openHere } from './play-here.ts'
import { stopServer } from './start-server.ts'

interface Answer {
  usage: { prompt_tokens: number; completion_tokens: number }
}
interface Exchange {
  messages: { role: string; content: string }[]
  usage: Answer['usage']
}

let server: ChildProcess
let address = ''

beforeAll(async () => {
  const python = await pythonWith('test/interop/requirements.txt')
  server = spawn(python, [join(import.meta.dirname, 'python/serve_tiny_model.py')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let said = ''
  while (server.stdout !== null && !said.includes('\n')) {
    const [chunk] = (await Promise.race([once(server.stdout, 'data'), once(server, 'exit')])) as [
      Buffer | number,
    ]
    if (typeof chunk === 'number') throw new Error(`The model's server ended with ${chunk}.`)
    said += String(chunk)
  }
  address = /http:\S+/.exec(said)?.[0] ?? ''
})

afterAll(() => stopServer(server))

/** Stands before the model's server and keeps what was asked, and what the server says that it used. */
async function listenIn(): Promise<{ base: string; exchanges: Exchange[] }> {
  const exchanges: Exchange[] = []
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const answer = await fetch(`${address}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { 'content-type': 'application/json' },
      ...(body !== '' && { body }),
    })
    const text = await answer.text()
    if (answer.ok && body !== '') {
      exchanges.push({ messages: JSON.parse(body).messages, usage: (JSON.parse(text) as Answer).usage })
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { base: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1`, exchanges }
}

/** The tokens of a prompt in the model's template: one for each byte, and one for each mark. */
function countTokens(messages: Exchange['messages']): number {
  const turns = messages.map(({ role, content }) => 2 + Buffer.byteLength(`${role}\n${content}\n`))
  return turns.reduce((sum, tokens) => sum + tokens, 1 + Buffer.byteLength('assistant\n'))
}

test.each([
  ['react', { id: 'react', max_steps: 3 }],
  ['mcts', { id: 'mcts', iterations: 2, samples: 2, max_depth: 3 }],
])('%s plays a model with random weights to a clean end, and every token is counted', async (_id, method) => {
  const { base, exchanges } = await listenIn()
  const endpoints = { tiny: { kind: 'openai', base_url: base, max_choices: 1 } }
  const { play } = await openHere({ endpoints })
  const { run, episodes } = await play({
    environment: 'textcraft',
    tasks: { split: 'test', limit: 2 },
    method,
    model: { endpoint: 'tiny', id: 'tiny', temperature: 1, max_tokens: 96 },
  })
  expect(episodes).toHaveLength(2)
  expect(exchanges.length).toBeGreaterThanOrEqual(6)
  const sum = (count: (exchange: Exchange) => number) =>
    exchanges.reduce((total, each) => total + count(each), 0)
  expect(run.usage).toMatchObject({
    model_calls: exchanges.length,
    input_tokens: sum(({ usage }) => usage.prompt_tokens),
    output_tokens: sum(({ usage }) => usage.completion_tokens),
  })
  expect(exchanges.map(({ usage }) => usage.prompt_tokens)).toEqual(
    exchanges.map(({ messages }) => countTokens(messages)),
  )
})
