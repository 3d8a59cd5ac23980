import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { downloadFile } from '../../../cli/data/download-file.ts'
import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { createSteadyLookup, type Resolve } from '../../../shared/core/outbound/guarded-lookup.ts'
import {
  createOutboundFetch,
  outboundFetch,
  registeredFetch,
} from '../../../shared/core/outbound/outbound-fetch.ts'
import { openAddressEnvironment } from '../../../shared/environments/added/open-address-environment.ts'
import { AgentgymCaller } from '../../../shared/environments/agentgym/agentgym-caller.ts'
import { sendHostCall } from '../../../shared/environments/hosts/send-host-call.ts'
import { McpConnection } from '../../../shared/environments/mcp/mcp-connection.ts'
import { OpenenvSocket } from '../../../shared/environments/openenv/openenv-socket.ts'
import { postResetHook } from '../../../shared/environments/post-reset-hook.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { createHttpTransport } from '../../../shared/play/models/open-http-models.ts'
import { chatRequest, completion } from '../../play/models/chat-request.ts'
import { recordingMeter } from '../../play/models/recording-meter.ts'
import { answerJson, scriptedServer } from '../../play/models/scripted-server.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { proxyServer } from './proxy-server.ts'

const signal = () => AbortSignal.timeout(10_000)

/** The answers of this process's name service, in turn; the last repeats. */
let answers: string[] = []
let asked: string[] = []
const systemLookup = dns.lookup
const changingLookup: Resolve = (hostname, _options, callback) => {
  const address = answers[Math.min(asked.push(hostname), answers.length) - 1] ?? '127.0.0.1'
  callback(null, [{ address, family: 4 }])
}

beforeEach(() => {
  asked = []
  dns.lookup = ((...given: Parameters<Resolve>) =>
    given[0].endsWith('.example.com')
      ? changingLookup(...given)
      : systemLookup(...(given as unknown as Parameters<typeof dns.lookup>))) as typeof dns.lookup
  syncBuiltinESMExports()
  return () => {
    dns.lookup = systemLookup
    syncBuiltinESMExports()
    for (const name of ['HTTP_PROXY', 'ESPALIER_PROXY_LOOPBACK']) delete process.env[name]
  }
})

const settings = { timeout: 5000, idleTimeout: 5000, maxBytes: 100_000 }
const empty = { headers: {}, body: '{}' }
const limits = { folder: '', advice: '', onProgress: () => undefined }

/** Every client that goes out, each asking a server of one name. */
const clients: Record<string, (origin: string) => Promise<unknown>> = {
  'the client of endpoints': async (origin) => {
    const { send, close } = createHttpTransport({ ...settings, network: 'public' })
    return send({ url: `${origin}/v1/models`, ...empty }).finally(close)
  },
  'servers of the host protocol': (address) =>
    openAddressEnvironment({ id: 'mine', address, environment: 'theirs' }),
  'calls to their sessions': async (origin) => {
    const call = { operation: 'health', host: 'mine' } as Parameters<typeof sendHostCall>[0]
    const answer = await sendHostCall(call, { origin, timeout: 5000, fetch: registeredFetch })
    if (answer.status >= 500) throw new Error(JSON.stringify(answer.body))
  },
  'AgentGym servers': (origin) =>
    new AgentgymCaller('mine', origin, 5).call({ path: '/step', repeatable: false }, signal()),
  'MCP servers': (address) =>
    McpConnection.open({ id: 'mine', server: { address, header_variables: {} }, folder: '.' }, signal()),
  'OpenEnv sockets': (address) => OpenenvSocket.open('The server', address, signal()),
  'hooks of resets': async (address) => {
    const hook = { address, form: {}, headers: {}, timeout: 5 }
    const fault = await postResetHook(hook as Parameters<typeof postResetHook>[0])
    if (fault !== null) throw new Error(fault.wrong)
  },
}

describe.each(Object.entries(clients))('%s', (_name, ask) => {
  test.each(['169.254.169.254', '::ffff:169.254.169.254'])('are not led to %s by a name', async (address) => {
    const server = await scriptedServer((_request, response) => answerJson(response, {}))
    answers = [address]
    const { port } = new URL(server.baseUrl)
    await expect(ask(`http://server.example.com:${port}`)).rejects.toThrow()
    expect(asked.length).toBeGreaterThan(0)
    expect(server.callIds).toEqual([])
  })
})

test.each(['http://169.254.169.254/latest', 'http://[fe80::1]/', 'http://[::ffff:169.254.169.254]/'])(
  'a redirect leads to no link-local address: %s',
  async (location) => {
    const server = await scriptedServer((_request, response) => {
      response.writeHead(307, { location })
      response.end()
    })
    await expect(registeredFetch(server.baseUrl)).rejects.toMatchObject({
      cause: { code: 'ERR_INTERNAL_ADDRESS' },
    })
    expect(server.callIds).toHaveLength(1)
  },
)

describe('a name whose answer changes', () => {
  const address = (lookup: ReturnType<typeof createSteadyLookup>) =>
    new Promise((resolve) =>
      lookup('server.example.com', { all: false }, (error, found) => resolve(error?.code ?? found)),
    )

  test('from a public address to an internal one is refused from then on', async () => {
    answers = ['8.8.8.8', '127.0.0.1', '10.0.0.1', '8.8.4.4']
    const lookup = createSteadyLookup()
    const found = [await address(lookup), await address(lookup), await address(lookup), await address(lookup)]
    expect(found).toEqual(['8.8.8.8', 'ERR_INTERNAL_ADDRESS', 'ERR_INTERNAL_ADDRESS', '8.8.4.4'])
  })

  test('within the network is followed, but not to a link-local address', async () => {
    answers = ['10.0.0.1', '10.0.0.2', '169.254.169.254']
    const lookup = createSteadyLookup()
    const found = [await address(lookup), await address(lookup), await address(lookup)]
    expect(found).toEqual(['10.0.0.1', '10.0.0.2', 'ERR_INTERNAL_ADDRESS'])
  })

  test('is looked up once for a connection, which takes that very address', async () => {
    const server = await scriptedServer((_request, response) => answerJson(response, { ok: true }))
    answers = ['127.0.0.1', '169.254.169.254']
    const { port } = new URL(server.baseUrl)
    const response = await createOutboundFetch({ network: 'registered' })(
      `http://server.example.com:${port}/`,
    )
    expect(await response.json()).toEqual({ ok: true })
    expect(asked).toEqual(['server.example.com'])
  })

  test('is sent to the proxy as the address that was checked, where only public ones are asked', async () => {
    const server = await scriptedServer((_request, response) => answerJson(response, { ok: true }))
    const proxy = await proxyServer(Number(new URL(server.baseUrl).port))
    process.env.HTTP_PROXY = proxy.url
    answers = ['8.8.8.8', '127.0.0.1']
    const { send, close } = createHttpTransport({ ...settings, network: 'public' })
    const ask = () => send({ url: 'http://server.example.com/v1/models', ...empty })
    expect((await ask()).status).toBe(200)
    expect(proxy.seen).toEqual(['POST http://8.8.8.8/v1/models'])
    await expect(ask()).rejects.toMatchObject({ cause: { code: 'ERR_INTERNAL_ADDRESS' } })
    await close()
  })
})

describe('with HTTP_PROXY', () => {
  const behindProxy = async (answer: unknown) => {
    const server = await scriptedServer((_request, response) => answerJson(response, answer))
    const proxy = await proxyServer(Number(new URL(server.baseUrl).port))
    process.env.HTTP_PROXY = proxy.url.replace('http://', 'http://me:hunter2@')
    return { ...proxy, server }
  }

  const ask = async (base_url: string) => {
    const endpoint = endpointSchema.parse({ kind: 'openai', base_url, max_retries: 0 })
    const models = openModels(new Map([['mine', endpoint]]), { environment: {} })
    onTestFinished(() => models.close())
    return models.model('mine').complete(chatRequest(), { meter: recordingMeter() })
  }

  test('models are asked through it, with its credentials, and its name service', async () => {
    const { credentials, seen } = await behindProxy(completion('hello'))
    const { choices } = await ask('http://models.example.com/v1')
    expect(choices[0]?.content).toBe('hello')
    expect(seen).toHaveLength(1)
    expect(seen[0]).toContain('models.example.com')
    expect(credentials[0]).toBe(`Basic ${Buffer.from('me:hunter2').toString('base64')}`)
    expect(asked).not.toContain('models.example.com')
  })

  test('models on this machine are asked directly', async () => {
    const { seen, server } = await behindProxy(completion('hello'))
    await ask(server.baseUrl)
    expect(seen).toEqual([])
    expect(server.callIds).toHaveLength(1)
  })

  test('a proxy that is not there is no secret, but its password is', async () => {
    process.env.HTTP_PROXY = 'http://me:hunter2@127.0.0.1:9'
    const error = await ask('http://models.example.com/v1').catch((reason: Error) => reason)
    expect(error).toMatchObject({ code: 'endpoint_failed' })
    expect(String((error as Error).message)).not.toContain('hunter2')
  })

  test('servers, sessions, hooks and downloads go through it', async () => {
    const { seen } = await behindProxy({ ok: true })
    const sent = await registeredFetch('http://server.example.com/environments')
    expect(await sent.json()).toEqual({ ok: true })
    await clients['hooks of resets']?.('http://reset.example.com/')
    const folder = await temporaryFolder()
    const download = { name: 'pack.json', url: 'http://packs.example.com/pack.json', sha256: null }
    await downloadFile(download, { ...limits, folder, signal: signal() })
    for (const host of ['server', 'reset', 'packs']) expect(seen.join('\n')).toContain(`${host}.example.com`)
  })

  test('an address in place of a name is checked before the proxy is asked', async () => {
    const { seen } = await behindProxy({ ok: true })
    const refused = { code: 'ERR_INTERNAL_ADDRESS' }
    for (const literal of ['169.254.169.254', '[fe80::1]', '[::ffff:169.254.169.254]']) {
      await expect(registeredFetch(`http://${literal}/latest`)).rejects.toMatchObject(refused)
      await expect(OpenenvSocket.open('The server', `http://${literal}`, signal())).rejects.toMatchObject(
        refused,
      )
    }
    expect(seen).toEqual([])
    const { send, close } = createHttpTransport({ ...settings, network: 'public' })
    await send({ url: 'http://[2606:4700:4700::1111]/v1/models', ...empty })
    expect(seen).toEqual(['POST http://[2606:4700:4700::1111]/v1/models'])
    await close()
  })

  test('a redirect of a reset is an answer, and is not followed', async () => {
    const server = await scriptedServer((_request, response) =>
      response.writeHead(302, { location: 'http://server.example.com/elsewhere' }).end(),
    )
    await clients['hooks of resets']?.(server.baseUrl)
    expect(server.callIds).toHaveLength(1)
  })

  test('a form keeps its files on the way', async () => {
    const { bodies, server } = await behindProxy({ ok: true })
    const form = new FormData()
    form.set('file', new File(['{"row": 1}'], 'rows.jsonl'))
    const sent = await outboundFetch('http://tuning.example.com/files', { method: 'POST', body: form })
    expect(await sent.json()).toEqual({ ok: true })
    expect(bodies[0]).toContain('filename="rows.jsonl"')
    expect(bodies[0]).toContain('{"row": 1}')
    expect(server.callIds).toHaveLength(1)
  })

  test('a socket of an OpenEnv server goes through it by a tunnel', async () => {
    const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    await new Promise((listening) => sockets.once('listening', listening))
    onTestFinished(() => sockets.close())
    const proxy = await proxyServer((sockets.address() as AddressInfo).port)
    process.env.HTTP_PROXY = proxy.url
    const socket = await OpenenvSocket.open('The server', 'http://openenv.example.com', signal())
    expect(proxy.seen).toEqual(['CONNECT openenv.example.com:80'])
    await socket.close()
  })
})
