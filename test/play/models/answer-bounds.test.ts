import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { chatRequest, completion } from './chat-request.ts'
import { heldTimers } from './held-timers.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedServer } from './scripted-server.ts'

/** The models of a real server over the real client, which tries once. */
async function serve(answer: (response: ServerResponse) => void, endpoint: Record<string, unknown> = {}) {
  const server = await scriptedServer((_request, response) => answer(response))
  const configuration = endpointSchema.parse({
    kind: 'openai',
    base_url: server.baseUrl,
    max_retries: 0,
    timeout: 30,
    ...endpoint,
  })
  const models = openModels(new Map([['mine', configuration]]))
  onTestFinished(() => models.close())
  const meter = recordingMeter()
  return { ...server, models, meter, ask: () => models.model('mine').complete(chatRequest(), { meter }) }
}

const jsonType = { 'content-type': 'application/json' }

/** Sends pieces for as long as they are taken. @returns how many bytes were taken so far */
function sendEndlessly(response: ServerResponse): () => number {
  let sent = 0
  const piece = Buffer.alloc(64 * 1024, 'x')
  const send = () => {
    while (!response.destroyed) {
      sent += piece.length
      if (!response.write(piece)) {
        response.once('drain', send)
        return
      }
    }
  }
  response.writeHead(200, jsonType).write('{"choices": "')
  send()
  return () => sent
}

it.each(['chat', 'embedding', 'scorer'])('an endless answer to %s is given up at its bound', async (kind) => {
  let sent = () => 0
  const { models, meter } = await serve(
    (response) => {
      sent = sendEndlessly(response)
    },
    { max_answer_bytes: 1_000_000 },
  )
  const calls: Record<string, () => Promise<unknown>> = {
    chat: () => models.model('mine').complete(chatRequest(), { meter }),
    embedding: () => models.embedding('mine').embed({ model: 'e', texts: ['x'] }, { meter }),
    scorer: () => models.scorer('mine').score({ model: 's', messages: [] }, { meter }),
  }
  const call = calls[kind]?.()
  await expect(call).rejects.toMatchObject({ transient: true })
  await expect(call).rejects.toThrow(/longer than 1000000 bytes.*max_answer_bytes/)
  expect(meter.events).toEqual(['reserve call-0', 'lose call-0'])
  // What the two sockets hold comes on top.
  expect(sent()).toBeLessThan(20_000_000)
})

it('an answer that says it is too long is not read', async () => {
  const { ask } = await serve(
    (response) => response.writeHead(200, { ...jsonType, 'content-length': 5_000_000 }).write('{'),
    { max_answer_bytes: 1_000_000 },
  )
  await expect(ask()).rejects.toThrow('longer than 1000000 bytes')
})

it('a small body that unpacks into a large one is given up at the bound too', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
  const { ask } = await serve(
    (response) => response.writeHead(200, { ...jsonType, 'content-encoding': 'gzip' }).end(bomb),
    { max_answer_bytes: 1_000_000 },
  )
  expect(bomb.length).toBeLessThan(1_000_000)
  await expect(ask()).rejects.toThrow('longer than 1000000 bytes')
})

it('an answer that is packed without being asked for is unpacked', async () => {
  const packed = gzipSync(JSON.stringify(completion('hello')))
  const { ask } = await serve((response) =>
    response.writeHead(200, { ...jsonType, 'content-encoding': 'gzip' }).end(packed),
  )
  expect((await ask()).choices[0]?.content).toBe('hello')
})

it('an answer packed in an unknown way is an error that names it', async () => {
  const { ask } = await serve((response) =>
    response.writeHead(200, { ...jsonType, 'content-encoding': 'zstd' }).end('x'),
  )
  await expect(ask()).rejects.toThrow('"zstd"')
})

it('an answer that stands still is given up, and one that has not begun is waited for', async () => {
  const { ask } = await serve((response) => response.writeHead(200, jsonType).write('{"choices"'), {
    idle_timeout: 0.05,
  })
  await expect(ask()).rejects.toThrow(/stood still for 0.05 s.*idle_timeout/)
  const late = await serve(
    (response) => {
      response.writeHead(200, jsonType).flushHeaders()
      setTimeout(() => response.end(JSON.stringify(completion('hello'))), 150)
    },
    { idle_timeout: 0.05 },
  )
  expect((await late.ask()).choices[0]?.content).toBe('hello')
})

it('an answer that trickles is given up when its call has taken its time', async () => {
  const timers = heldTimers(30_000)
  const { ask, meter } = await serve((response) => {
    response.writeHead(200, jsonType)
    let pieces = 0
    const timer = setInterval(() => {
      response.write(' ')
      pieces += 1
      if (pieces === 10) timers.end()
    }, 20)
    response.on('close', () => clearInterval(timer))
  })
  await expect(ask()).rejects.toThrow('no answer in time')
  expect(meter.events).toEqual(['reserve call-0', 'lose call-0'])
})

it('an endless refusal is cut, and still says what it is', async () => {
  const { ask, meter } = await serve(
    (response) => {
      response.writeHead(401, { 'content-type': 'text/plain' })
      const timer = setInterval(() => response.write('no '.repeat(1000)), 1)
      response.on('close', () => clearInterval(timer))
    },
    { max_answer_bytes: 10_000 },
  )
  await expect(ask()).rejects.toMatchObject({ transient: false, endpointStatus: 401 })
  expect(meter.events).toEqual(['reserve call-0', 'release call-0'])
})
