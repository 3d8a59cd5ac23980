import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sessionSchema } from '../../../shared/core/contracts/session.ts'
import { openHostWorld } from '../../environments/hosts/host-images.ts'

const task = { environment: 'textcraft', task: 'textcraft-0042', seed: 0, token: 1 }

async function post(address: string | null, path: string, body: unknown): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}

describe('a host as a process', () => {
  test('finishes the request under way when it is asked to leave, and leaves', async () => {
    const world = await openHostWorld()
    const { id, address } = await world.hosts.launch({ image: 'env-host', token: 't' })
    const session = sessionSchema.parse(await post(address, '/sessions', task))
    const body = JSON.stringify({ action: 'inventory', step_index: 0, token: 1 })
    const socket = connect(Number(new URL(address ?? '').port), '127.0.0.1')
    const head = `POST /sessions/${session.id}/step HTTP/1.1\r\nHost: host\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`
    socket.write(head + body.slice(0, 10))
    // The host asks for the rest of a request that it has taken.
    const [begun] = (await once(socket, 'data')) as [Buffer]
    expect(begun.toString()).toContain('HTTP/1.1 100 Continue')
    const stopped = world.hosts.stop(id, { grace: 20 })
    await untilPrinted(join(world.folder, 'hosts', `${id}.log`), 'host.draining')
    socket.write(body.slice(10))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toContain('HTTP/1.1 200 OK')
    socket.destroy()
    await stopped
    expect(await world.hosts.describe([id])).toMatchObject([{ status: 'stopped' }])
    expect(await readFile(join(world.folder, 'hosts', `${id}.log`), 'utf8')).toContain('"event":"host.left"')
  })

  test('says which setting is wrong', async () => {
    const world = await openHostWorld()
    const environment = { ESPALIER_HOST_SLOTS: 'many' }
    const { id, status } = await world.hosts.launch({ image: 'env-host', token: 't', environment })
    expect(status).toBe('stopped')
    expect(await readFile(join(world.folder, 'hosts', `${id}.log`), 'utf8')).toContain('ESPALIER_HOST_SLOTS')
  })
})

async function untilPrinted(file: string, text: string): Promise<void> {
  while (!(await readFile(file, 'utf8')).includes(text))
    await new Promise((resolve) => setTimeout(resolve, 20))
}
