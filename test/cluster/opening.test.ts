import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPostgresWorld } from '../../shared/core/world/postgres/open-postgres-world.ts'
import { openSharedFolder } from '../../shared/core/world/postgres/shared-folder.ts'
import { bytes, text } from '../core/contracts/world/contract-world.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-opening-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

async function open(address: string, objects: string, more: { patience?: number } = {}) {
  const world = await openPostgresWorld({ address, objects, logs: tmpdir(), ...more })
  onTestFinished(() => world.close())
  return world
}

const refused = (message: RegExp, code = 'storage_failed') => ({
  code,
  message: expect.stringMatching(message),
})

test('machines that open a new world at once share it', async () => {
  const [address, folder] = [server.newWorld(), join(await newFolder(), 'a', 'new', 'folder')]
  const worlds = await Promise.all(Array.from({ length: 4 }, () => open(address, folder)))
  await worlds[0]?.objects.put('a', new Uint8Array(100_000).fill(7))
  await worlds[1]?.objects.put('b', bytes('small'))
  for (const { objects } of worlds) {
    expect((await objects.get('a'))?.body).toHaveLength(100_000)
    expect(text((await objects.get('b'))?.body)).toBe('small')
  }
  const signed = await worlds[2]?.objects.sign('a', { expires_in: 60 })
  expect(worlds[3]?.verify(signed?.url ?? '')).toEqual({ key: 'a', file_name: null })
})

test('the mark of a new shared folder is there with its text or not at all', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < 20; round += 1) {
    const folder = join(await newFolder(), 'objects')
    let isOpen = false
    const opening = openSharedFolder(folder, 'world', true).then(() => {
      isOpen = true
    })
    while (!isOpen) {
      if (existsSync(join(folder, 'world'))) seen.add(readFileSync(join(folder, 'world'), 'utf8'))
      await setImmediate()
    }
    await opening
  }
  expect([...seen]).toEqual(['world\n'])
})

test('a world of a newer Espalier is refused, and changes nothing', async () => {
  const [address, folder] = [server.newWorld(), await newFolder()]
  await (await open(address, folder)).close()
  const schema = new URL(address).searchParams.get('schema')
  await server.ask(`insert into ${schema}.migrations (version) values (2)`)
  await expect(open(address, folder)).rejects.toMatchObject(
    refused(/newer Espalier.*version 2.*Update Espalier/),
  )
})

test('a folder that is not the one of the world is refused', async () => {
  const address = server.newWorld()
  const [first, second] = [await newFolder(), await newFolder()]
  await open(address, first)
  await expect(open(address, second)).rejects.toMatchObject(
    refused(/is not the one that this world began with.*Mount the shared folder/),
  )
  await expect(open(server.newWorld(), first)).rejects.toMatchObject(refused(/belongs to another world/))
  await expect(open(address, 's3://bucket')).rejects.toMatchObject(
    refused(/keeps its objects in a shared folder, not in s3:\/\/bucket/),
  )
})

test('a folder in which no file can be created is refused', async () => {
  await expect(open(server.newWorld(), '/proc/self/task')).rejects.toMatchObject(
    refused(/Could not use the shared folder/),
  )
})

test.each([
  ['postgres://espalier@127.0.0.1:1/postgres', /ECONNREFUSED.*Check that the server runs/, 'storage_failed'],
  ['mysql://localhost/x', /no address of a PostgreSQL database/, 'invalid_request'],
  ['postgres://u:secret@localhost/x?schema=A-b', /names the schema "A-b"/, 'invalid_request'],
])('the address %s is refused with the way out', async (address, message, code) => {
  const refusal = await open(address, await newFolder(), { patience: 1 }).catch((error: unknown) => error)
  expect(refusal).toMatchObject(refused(message, code))
  expect(String(refusal)).not.toContain('secret')
})

test('a database that does not exist is named', async () => {
  const address = server.newWorld().replace('/postgres?', '/absent?')
  await expect(open(address, await newFolder())).rejects.toMatchObject(
    refused(/absent \(schema world_\d+\).*Create this database first/),
  )
})
