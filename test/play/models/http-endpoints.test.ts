import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import type { ModelError } from '../../../shared/play/models/model-error.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { chatRequest, completion } from './chat-request.ts'
import { fakeClock } from './fake-clock.ts'
import { heldTimers } from './held-timers.ts'
import { recordingMeter } from './recording-meter.ts'
import { answerJson, scriptedServer } from './scripted-server.ts'

function openEndpoint(endpoint: Record<string, unknown>) {
  const clock = fakeClock()
  const configuration = endpointSchema.parse({ kind: 'openai', ...endpoint })
  const models = openModels(new Map([['mine', configuration]]), { environment: {}, clock })
  return { model: models.model('mine'), clock }
}

/** An address on which nothing listens. */
const closedAddress = 'http://127.0.0.1:9/v1'

describe('over real HTTP', () => {
  it('an answer is settled, and the id of its reservation arrived with it', async () => {
    const server = await scriptedServer((_request, response) => answerJson(response, completion('hi')))
    const { model } = openEndpoint({ base_url: server.baseUrl })
    const meter = recordingMeter()
    const { choices } = await model.complete(chatRequest(), { meter })
    expect(choices).toEqual([{ content: 'hi', finish_reason: 'stop' }])
    expect(meter.events).toEqual(['reserve call-0', 'settle call-0 9+3'])
    expect(server.callIds).toEqual(['call-0'])
  })

  it('an answer that is not UTF-8 is read with U+FFFD for what is broken', async () => {
    const server = await scriptedServer((_request, response) => {
      response.setHeader('content-type', 'application/json')
      const [before = '', after = ''] = JSON.stringify(completion('a?b')).split('?')
      response.end(Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc3]), Buffer.from(after)]))
    })
    const { model } = openEndpoint({ base_url: server.baseUrl })
    const { choices } = await model.complete(chatRequest(), { meter: recordingMeter() })
    expect(choices[0]?.content).toBe('a\uFFFD\uFFFDb')
  })

  it('retry-after is waited for in real time', async () => {
    const server = await scriptedServer((_request, response, position) => {
      if (position > 0) return answerJson(response, completion('hi'))
      response.writeHead(429, { 'retry-after': '0.2', 'content-type': 'application/json' })
      response.end('{"error": {"message": "slow down"}}')
    })
    const configuration = endpointSchema.parse({ kind: 'openai', base_url: server.baseUrl })
    const model = openModels(new Map([['mine', configuration]])).model('mine')
    const meter = recordingMeter()
    const start = performance.now()
    await model.complete(chatRequest(), { meter })
    expect(performance.now() - start).toBeGreaterThanOrEqual(195)
    expect(meter.events).toEqual(['reserve call-0', 'release call-0', 'reserve call-1', 'settle call-1 9+3'])
  })

  it('a time-out loses the call, and it is sent again under another id', async () => {
    const timers = heldTimers(60_000)
    const server = await scriptedServer((_request, response, position) => {
      if (position > 0) answerJson(response, completion('hi'))
      else timers.end()
    })
    const { model } = openEndpoint({ base_url: server.baseUrl, timeout: 60 })
    const meter = recordingMeter()
    await model.complete(chatRequest(), { meter })
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0', 'reserve call-1', 'settle call-1 9+3'])
    expect(server.callIds).toEqual(['call-0', 'call-1'])
  })

  it('a body that stops halfway loses the call by the same time-out', async () => {
    const timers = heldTimers(60_000)
    const server = await scriptedServer((_request, response, position) => {
      if (position > 0) return answerJson(response, completion('hi'))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"choices":', () => setImmediate(timers.end))
    })
    const { model } = openEndpoint({ base_url: server.baseUrl, timeout: 60, idle_timeout: 600 })
    const meter = recordingMeter()
    await model.complete(chatRequest(), { meter })
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0', 'reserve call-1', 'settle call-1 9+3'])
  })

  it.each([
    ['before the answer', false],
    ['in the middle of the answer', true],
  ])('a connection broken %s loses the call', async (_when, begun) => {
    const server = await scriptedServer((request, response, position) => {
      if (position > 0) return answerJson(response, completion('hi'))
      if (!begun) return request.socket.destroy()
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' })
      response.write('{"choices":', () => request.socket.destroy())
    })
    const { model } = openEndpoint({ base_url: server.baseUrl })
    const meter = recordingMeter()
    await model.complete(chatRequest(), { meter })
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0', 'reserve call-1', 'settle call-1 9+3'])
  })

  it('a server that is not there costs nothing, and the error says so', async () => {
    const { model, clock } = openEndpoint({ base_url: closedAddress, max_retries: 1 })
    const meter = recordingMeter()
    const error = await model.complete(chatRequest(), { meter }).catch((failure: ModelError) => failure)
    expect(error).toMatchObject({ code: 'endpoint_failed', transient: true, endpointStatus: null })
    expect((error as ModelError).message).toMatch(
      /connection refused by 127\.0\.0\.1:\d+\. Check base_url and that the server is running\.$/,
    )
    expect(meter.events).toEqual(['reserve call-0', 'release call-0', 'reserve call-1', 'release call-1'])
    expect(clock.slept).toHaveLength(1)
  })

  it('a pool goes on with its other server at once when one is down', async () => {
    const server = await scriptedServer((_request, response) => answerJson(response, completion('hi')))
    const { model, clock } = openEndpoint({ base_urls: [closedAddress, server.baseUrl] })
    const meter = recordingMeter()
    for (let call = 0; call < 6; call++) await model.complete(chatRequest(), { meter })
    expect(clock.slept).toEqual([0])
    expect(meter.events.filter((event) => event.startsWith('release'))).toEqual(['release call-0'])
    expect(server.callIds).toHaveLength(6)
  })

  it('a pool shares its calls out evenly', async () => {
    const servers = [1, 2].map(() =>
      scriptedServer((_request, response) => answerJson(response, completion('hi'))),
    )
    const [first, second] = await Promise.all(servers)
    const { model } = openEndpoint({ base_urls: [first?.baseUrl, second?.baseUrl] })
    const meter = recordingMeter()
    await Promise.all(Array.from({ length: 10 }, () => model.complete(chatRequest(), { meter })))
    expect([first?.callIds.length, second?.callIds.length]).toEqual([5, 5])
  })

  it('an abort loses the call in flight, with the reason that was given', async () => {
    const controller = new AbortController()
    const server = await scriptedServer(() => controller.abort(new Error('stopped by the user')))
    const { model } = openEndpoint({ base_url: server.baseUrl })
    const meter = recordingMeter()
    const call = model.complete(chatRequest(), { meter, signal: controller.signal })
    await expect(call).rejects.toThrow('stopped by the user')
    expect(meter.events).toEqual(['reserve call-0', 'lose call-0'])
  })

  it('a call that leaves while its connection is still being opened costs nothing', async () => {
    const controller = new AbortController()
    const { baseUrl } = await neverOpening(() => controller.abort(new Error('stopped by the user')))
    const { model } = openEndpoint({ base_url: baseUrl })
    const meter = recordingMeter()
    const call = model.complete(chatRequest(), { meter, signal: controller.signal })
    await expect(call).rejects.toThrow('stopped by the user')
    expect(meter.events).toEqual(['reserve call-0', 'release call-0'])
  })

  it('a connection that does not open in time costs nothing, and the error says so', async () => {
    const { baseUrl } = await neverOpening(() => undefined)
    const { model } = openEndpoint({ base_url: baseUrl, timeout: 1, max_retries: 1 })
    const meter = recordingMeter()
    const error = await model.complete(chatRequest(), { meter }).catch((failure: ModelError) => failure)
    expect(error).toMatchObject({ transient: true, endpointStatus: null, failure: 'unreachable' })
    expect((error as ModelError).message).toMatch(/no connection \(no answer in time\)/)
    expect(meter.events).toEqual(['reserve call-0', 'release call-0', 'reserve call-1', 'release call-1'])
  })
})

/** The address of a server that accepts connections and never answers their TLS. */
async function neverOpening(onConnection: () => void): Promise<{ baseUrl: string }> {
  const sockets: Socket[] = []
  const server = createTcpServer((socket) => {
    sockets.push(socket.on('error', () => undefined))
    socket.once('data', onConnection)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { baseUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}
