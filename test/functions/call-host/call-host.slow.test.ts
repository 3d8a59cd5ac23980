import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createCallHost } from '../../../functions/call-host/call-host.ts'
import type { HostAnswer, HostCall } from '../../../shared/core/contracts/host-call.ts'
import type { Json } from '../../../shared/core/contracts/json.ts'
import { InvokeCallHost } from '../../../shared/core/world/aws/invoke-call-host.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { DirectHostCaller } from '../../../shared/environments/hosts/direct-host-caller.ts'
import { HostRegistry } from '../../../shared/environments/hosts/host-registry.ts'
import { newHostRow } from '../../../shared/environments/hosts/observe-hosts.ts'
import { openHostWorld } from '../../environments/hosts/host-images.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const task = { environment: 'textcraft', task: 'textcraft-0042', seed: 0 }
const nothing = () => undefined

const callHostIn = (world: World, network: 'private' | 'this-machine' = 'this-machine', timeout = 30_000) =>
  createCallHost(new DirectHostCaller({ world, network, timeout }), nothing)

/** A registered host that really runs. */
async function openHost() {
  const world = await openHostWorld()
  const host = await world.hosts.launch({ image: 'env-host', token: 't' })
  await new HostRegistry(world.ledger).enter(newHostRow(host, 10, 0))
  return { world, host: host.id }
}

async function enter(world: World, address: string): Promise<void> {
  const host = { id: 'host_1', image: 'env-host', status: 'running', address, reason: null } as const
  await new HostRegistry(world.ledger).enter(newHostRow(host, 10, 0))
}

function codeOf({ status, body }: HostAnswer): [number, Json] {
  const { error } = body as { error: { code: string } }
  return [status, error.code]
}

describe('call-host', () => {
  test('forwards every operation to the host', async () => {
    const { world, host } = await openHost()
    const call = callHostIn(world)
    const session = 'slot-1'
    const body = { token: 1 }
    expect(await call({ operation: 'health', host })).toMatchObject({ status: 200, body: { status: 'ok' } })
    const created = await call({ operation: 'create', host, body: { ...task, ...body, id: session } })
    expect(created).toMatchObject({ status: 201, body: { id: session, step_index: 0 } })
    const step = { action: 'inventory', step_index: 0, ...body }
    const stepped = await call({ operation: 'step', host, session, body: step })
    expect(stepped).toMatchObject({
      status: 200,
      body: { observation: 'Inventory: You are not carrying anything.' },
    })
    const snapshot = await call({ operation: 'snapshot', host, session, body })
    expect(snapshot).toMatchObject({ status: 200, body: { step_index: 1 } })
    const fork = await call({
      operation: 'fork',
      host,
      session,
      body: { ...body, fork: { id: 'slot-2', ...body } },
    })
    expect(fork).toMatchObject({ status: 201, body: { id: 'slot-2', step_index: 1 } })
    expect(await call({ operation: 'close', host, session, body })).toMatchObject({ status: 200 })
    expect(codeOf(await call({ operation: 'close', host, session, body }))).toEqual([404, 'unknown_session'])
  })

  test('forwards an action of one megabyte', async () => {
    const { world, host } = await openHost()
    const call = callHostIn(world)
    await call({ operation: 'create', host, body: { ...task, id: 'slot-1', token: 1 } })
    const body = { action: 'x'.repeat(2 ** 20), step_index: 0, token: 1 }
    expect(await call({ operation: 'step', host, session: 'slot-1', body })).toMatchObject({ status: 200 })
  })

  test('answers a call that is none with what is wrong', async () => {
    const call = callHostIn(await openTestWorld())
    const wrong: unknown[] = [
      null,
      'health',
      { operation: 'reboot', host: 'host_1' },
      { operation: 'health' },
      { operation: 'health', host: 'host_1', address: 'http://169.254.169.254' },
      { operation: 'step', host: 'host_1', session: '../../health', body: {} },
      { operation: 'step', host: 'host_1', session: 'slot-1', body: { action: 'look', step_index: 0 } },
      { operation: 'create', host: 'http://example.com/', body: { ...task, token: 0 } },
      { call: { operation: 'health', host: 'host_1' }, within: 280_001 },
    ]
    for (const event of wrong) expect((await call(event)).status).toBe(400)
    expect(codeOf(await call({ operation: 'health', host: 'http://example.com/' }))).toEqual([
      404,
      'unknown_host',
    ])
  })

  test.each([
    'http://127.0.0.1:9001',
    'http://169.254.169.254:80',
    'http://8.8.8.8:8080',
    'http://localhost:8080',
    'https://10.0.0.1:8080',
    'http://10.0.0.1',
    'http://someone@10.0.0.1:8080',
    'http://10.0.0.1:8080/latest/meta-data',
    'http://[::1]:8080',
    'not an address',
  ])('makes no call to %s, even when the registry says so', async (address) => {
    const world = await openTestWorld()
    await enter(world, address)
    const call = callHostIn(world, 'private')
    expect(codeOf(await call({ operation: 'health', host: 'host_1' }))).toEqual([404, 'unknown_host'])
  })

  test('waits for a host as long as a call says, where that is longer than usual', async () => {
    const server = createServer((_request, response) => {
      setTimeout(() => response.writeHead(200).end(JSON.stringify({ status: 'ok' })), 400)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const world = await openTestWorld()
    await enter(world, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const invoke = callHostIn(world, 'this-machine', 100)
    const call = { operation: 'health', host: 'host_1' } as const
    expect(codeOf(await invoke(call))).toEqual([504, 'host_timed_out'])
    expect(await invoke({ call, within: 10_000 })).toMatchObject({ status: 200 })
  })

  test('follows no redirect, and answers for hosts that are gone, silent or none', async () => {
    const strange: Record<string, (end: (status: number, text: string) => void) => void> = {
      elsewhere: (end) => end(307, ''),
      silent: nothing,
      page: (end) => end(200, '<html>'),
    }
    const expected: Record<string, [number, string]> = {
      elsewhere: [503, 'host_unreachable'],
      silent: [504, 'host_timed_out'],
      page: [503, 'host_unreachable'],
    }
    for (const [name, behave] of Object.entries(strange)) {
      const server = createServer((_request, response) => {
        behave((status, text) => response.writeHead(status, { location: 'http://127.0.0.1:1/' }).end(text))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const world = await openTestWorld()
      await enter(world, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
      const call = callHostIn(world, 'this-machine', name === 'silent' ? 200 : undefined)
      expect(codeOf(await call({ operation: 'health', host: 'host_1' }))).toEqual(expected[name])
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      const gone = await callHostIn(world)({ operation: 'health', host: 'host_1' })
      expect(codeOf(gone)).toEqual([503, 'host_unreachable'])
    }
  })
})

describe('calling hosts through the function', () => {
  afterEach(() => void vi.unstubAllEnvs())

  /** The address of Lambda, where the real function answers in this process. */
  async function openLambda(invoke: (event: unknown) => Promise<unknown>): Promise<InvokeCallHost> {
    const server = createServer(async (request, response) => {
      const pieces: Buffer[] = []
      for await (const piece of request) pieces.push(piece as Buffer)
      const isInvoke = request.url === '/2015-03-31/functions/call-host/invocations'
      try {
        if (!isInvoke) throw new Error(`Lambda does not know ${request.url}.`)
        const answer = await invoke(JSON.parse(Buffer.concat(pieces).toString()))
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      } catch (error) {
        const body = JSON.stringify({ errorMessage: String(error) })
        response.writeHead(200, { 'x-amz-function-error': 'Unhandled' }).end(body)
      }
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    vi.stubEnv('AWS_ENDPOINT_URL_LAMBDA', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    vi.stubEnv('AWS_REGION', 'us-east-1')
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'nobody')
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'nothing')
    const caller = new InvokeCallHost('call-host')
    onTestFinished(async () => {
      await caller.close()
      server.closeAllConnections()
      server.close()
    })
    return caller
  }

  test('plays a session as calling them directly does', async () => {
    const { world, host } = await openHost()
    const invoked = await openLambda(callHostIn(world))
    const direct = new DirectHostCaller({ world, network: 'this-machine' })
    const play = async (caller: Pick<InvokeCallHost, 'call'>, id: string) => {
      const calls: HostCall[] = [
        { operation: 'create', host, body: { ...task, id, token: 1 } },
        { operation: 'step', host, session: id, body: { action: 'inventory', step_index: 0, token: 1 } },
        { operation: 'step', host, session: id, body: { action: 'inventory', step_index: 5, token: 1 } },
      ]
      const answers: HostAnswer[] = []
      for (const call of calls) answers.push(await caller.call(call))
      return JSON.parse(JSON.stringify(answers).replaceAll(id, 'session'))
    }
    expect(await play(invoked, 'slot-1')).toEqual(await play(direct, 'slot-2'))
  })

  test('asks for no longer wait than the function has, however long a call may take', async () => {
    const asked: unknown[] = []
    const caller = await openLambda(async (event) => {
      asked.push(event)
      return { status: 200, body: null }
    })
    const call: HostCall = { operation: 'health', host: 'host_1' }
    for (const within of [30_000, 100_000, 280_000, 680_000]) await caller.call(call, undefined, within)
    expect(asked).toEqual([call, ...[100_000, 280_000, 280_000].map((within) => ({ call, within }))])
  })

  test('says so when the function itself failed, and stops when it is no longer wanted', async () => {
    const failing = await openLambda(async () => {
      throw new Error('out of memory')
    })
    const call: HostCall = { operation: 'health', host: 'host_1' }
    await expect(failing.call(call)).rejects.toThrow(/"call-host" failed \(Unhandled\).*out of memory/)
    const aborted = AbortSignal.abort(new Error('no longer wanted'))
    await expect(failing.call(call, aborted)).rejects.toThrow('no longer wanted')
  })
})
