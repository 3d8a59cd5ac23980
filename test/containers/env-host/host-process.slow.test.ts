import { once } from 'node:events'
import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sessionSchema, sessionStepSchema } from '../../../shared/core/contracts/session.ts'
import { openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import { openHostWorld } from '../../environments/hosts/host-images.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../../..')
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

  test('runs from the files of its image alone', async () => {
    const folder = await temporaryFolder()
    const dockerfile = await readFile(join(root, 'containers/env-host/Dockerfile'), 'utf8')
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) (\S+)$/gm)].flatMap(([, sources = '']) =>
      sources.split(' '),
    )
    expect(new Set(copied)).toEqual(await pathsInReadme())
    for (const path of copied) {
      await mkdir(join(folder, path, '..'), { recursive: true })
      await cp(join(root, path), join(folder, path), { recursive: true })
    }
    await linkPackages(folder)
    const [, command = ''] = /^CMD (\[.+\])$/m.exec(dockerfile) ?? []
    const [program, entry = ''] = JSON.parse(command) as string[]
    expect(program).toBe('node')
    const world = await openLocalWorld({
      folder: await temporaryFolder(),
      images: { image: join(folder, entry) },
    })
    try {
      const { address, reason } = await world.hosts.launch({ image: 'image', token: 't' })
      expect(reason).toBeNull()
      const { id } = sessionSchema.parse(await post(address, '/sessions', task))
      const step = { action: 'inventory', step_index: 0, token: 1 }
      const answer = sessionStepSchema.parse(await post(address, `/sessions/${id}/step`, step))
      expect(answer.observation).toBe('Inventory: You are not carrying anything.')
    } finally {
      await world.close()
    }
  })
})

/** Links the packages that are installed in the image: those that no development needs alone. */
async function linkPackages(folder: string): Promise<void> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>
  }
  for (const [path, { dev, optional, devOptional }] of Object.entries(lock.packages)) {
    const isTop = path.startsWith('node_modules/') && path.lastIndexOf('node_modules/') === 0
    if (!isTop || dev || optional || devOptional) continue
    await mkdir(join(folder, path, '..'), { recursive: true })
    await symlink(join(root, path), join(folder, path))
  }
}

/** The paths that the README says are in the image. */
async function pathsInReadme(): Promise<Set<string>> {
  const text = await readFile(join(root, 'containers/env-host/README.md'), 'utf8')
  const [, block = ''] = /```\n(package\.json[^`]*)```/.exec(text) ?? []
  return new Set(block.trim().split('\n'))
}

async function untilPrinted(file: string, text: string): Promise<void> {
  while (!(await readFile(file, 'utf8')).includes(text))
    await new Promise((resolve) => setTimeout(resolve, 20))
}
