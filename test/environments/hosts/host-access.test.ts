import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { readHostSettings } from '../../../containers/env-host/host-settings.ts'
import { startEnvHost } from '../../../containers/env-host/start-env-host.ts'
import { DirectHostCaller } from '../../../shared/environments/hosts/direct-host-caller.ts'
import { accessKeyVariable, hostAccessKey } from '../../../shared/environments/hosts/host-access.ts'
import { HostRegistry } from '../../../shared/environments/hosts/host-registry.ts'
import { hostSessions } from '../../../shared/environments/hosts/host-sessions.ts'
import { newHostRow } from '../../../shared/environments/hosts/observe-hosts.ts'
import { serveAll } from '../../containers/env-host/open-table.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const image = 'env-host'
const health = (host: string) => ({ operation: 'health', host }) as const

async function startHost(accessKey?: string): Promise<string> {
  const settings = readHostSettings({ [accessKeyVariable]: accessKey })
  const host = await startEnvHost(settings, await serveAll(), () => undefined)
  onTestFinished(() => host.drain('the test is over'))
  return `http://127.0.0.1:${host.port}`
}

async function openRegistry() {
  const world = await openTestWorld()
  const caller = new DirectHostCaller({ world, network: 'this-machine' })
  const registry = new HostRegistry(world.ledger)
  /** Enters a host that was launched with a token, at an address. */
  const enter = async (token: string, address: string) => {
    const host = { id: `host_${token}`, image, status: 'running', address, reason: null } as const
    const accessKey = await hostAccessKey(world.ledger, image, token)
    const seen = { status: 'running', seen_at: world.clock.now() } as const
    await registry.enter({ ...newHostRow(host, 10, 0, accessKey), ...seen })
    return host.id
  }
  return { world, caller, enter }
}

test('a host of a fleet answers no path without its key, whatever the protocol', async () => {
  const address = await startHost('the key')
  const paths = ['/health', '/sessions', '/environments', '/agentgym/textcraft/', '/openenv/textcraft/reset']
  for (const path of [...paths, '/openenv/textcraft/health', '/mcp/textcraft', '/nowhere']) {
    for (const authorization of ['', 'Bearer another', 'the key']) {
      const answer = await fetch(`${address}${path}`, { headers: { authorization } })
      expect([path, answer.status]).toEqual([path, 404])
      expect(await answer.json()).toMatchObject({ error: { code: 'unknown_host', param: 'host' } })
    }
  }
  const opened = await fetch(`${address}/health`, { headers: { authorization: 'Bearer the key' } })
  expect(opened.status).toBe(200)
  const socket = new WebSocket(`${address.replace('http', 'ws')}/openenv/textcraft/ws`)
  const [error] = await once(socket, 'error')
  expect(String(error)).toContain('404')
})

test('a host that a person starts answers everyone who reaches it', async () => {
  const address = await startHost()
  for (const path of ['/health', '/environments', '/openenv/textcraft/health']) {
    expect((await fetch(`${address}${path}`)).status).toBe(200)
  }
})

test('a call for a host whose address has passed to another is answered by neither', async () => {
  const { world, caller, enter } = await openRegistry()
  const address = await startHost(await hostAccessKey(world.ledger, image, 'second'))
  const [first, second] = [await enter('first', address), await enter('second', address)]
  expect(await caller.call(health(second))).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await caller.call(health(first))).toMatchObject({
    status: 404,
    body: { error: { code: 'unknown_host' } },
  })
  const task = { task: 'textcraft-0042', seed: 0, holder: 'a test' }
  const sessions = hostSessions({ world, caller, image, environment: 'textcraft', withSnapshots: true })
  const { live } = await sessions.open(task, AbortSignal.timeout(20_000))
  // Of the two it stays with the one that is there.
  expect(await live.step('inventory', AbortSignal.timeout(20_000))).toMatchObject({ valid: true })
  await live.close()
})

test('two passes give one launch the same key, and every launch its own', async () => {
  const { ledger } = await openTestWorld()
  const keys = await Promise.all(['a', 'a', 'b'].map((token) => hostAccessKey(ledger, image, token)))
  expect(keys[0]).toBe(keys[1])
  expect(new Set(keys).size).toBe(2)
  expect(await hostAccessKey(ledger, 'another-image', 'a')).not.toBe(keys[0])
})
