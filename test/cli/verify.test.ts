import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import type { FoundDamage } from '../../shared/core/world/local/verify-store.ts'
import { flipBody } from '../core/world/local/flip-bits.ts'
import { recordingTerminal } from './recording-terminal.ts'

interface Verified {
  ok: boolean
  objects: number
  damage: FoundDamage[]
  mended: string[]
  sums_added: number
}

describe('verify', () => {
  let folder: string
  let keys: string[]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'espalier-verify-'))
    const words = 'run --environment textcraft --method mcts --set iterations=4 --model simulated --limit 3'
    expect(await espalier(...words.split(' '))).toMatchObject({ exitCode: 0 })
    const world = await openLocalWorld({ folder })
    keys = (await world.objects.list('', { limit: 10_000 })).objects.map(({ key }) => key)
    await world.close()
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function espalier(...words: string[]) {
    const terminal = recordingTerminal({})
    const exitCode = await runCli([...words, '--json', '--folder', folder], terminal)
    return { exitCode, out: terminal.outs.join('\n') }
  }

  async function verify() {
    const { exitCode, out } = await espalier('verify')
    return { exitCode, ...(JSON.parse(out) as Verified) }
  }

  async function read(key: string): Promise<string> {
    const world = await openLocalWorld({ folder })
    try {
      return Buffer.from((await world.objects.get(key))?.body ?? []).toString()
    } finally {
      await world.close()
    }
  }

  const named = (pattern: RegExp) => keys.filter((key) => pattern.test(key))

  it('finds nothing in a folder that is as it was written', async () => {
    expect(await verify()).toMatchObject({ exitCode: 0, ok: true, damage: [], mended: [], sums_added: 0 })
  })

  it('writes a damaged tree anew from its journal, to the same bytes', async () => {
    const [key = ''] = named(/tree\.json$/)
    const before = await read(key)
    flipBody(folder, key, 9)
    await expect(read(key)).rejects.toMatchObject({ code: 'damaged_object' })
    expect(await verify()).toMatchObject({ exitCode: 0, ok: true, damage: [], mended: [key] })
    expect(await read(key)).toBe(before)
  })

  it('lists what it cannot mend, and fails: a journal, and the tree that is made of it', async () => {
    const [tree = ''] = named(/tree\.json$/)
    const journal = named(/journal\//).filter((key) => key.startsWith(tree.replace('tree.json', '')))
    expect(journal.length).toBeGreaterThan(0)
    const [run = ''] = named(/run\.json$/)
    const copies = [tree, ...journal, run].map((key) => [key, bodyOf(key)] as const)
    for (const [key] of copies) flipBody(folder, key, 5)
    const { exitCode, ok, damage, mended } = await verify()
    expect({ exitCode, ok, mended }).toEqual({ exitCode: 1, ok: false, mended: [] })
    expect(damage.map(({ name }) => name).toSorted()).toEqual([tree, ...journal, run].toSorted())
    for (const [key, body] of copies) setBody(key, body)
    expect((await verify()).exitCode).toBe(0)
  })

  it('names damaged items of the ledger', async () => {
    const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
    const row = sqlite.prepare('select partition, sort, item from ledger limit 1').get()
    const { partition = '', sort = '', item = '' } = row ?? {}
    const place = (text: string) =>
      sqlite.prepare('update ledger set item = ? where partition = ? and sort = ?').run(text, partition, sort)
    place(`${item} `)
    const found = await verify()
    place(String(item))
    sqlite.close()
    expect(found).toMatchObject({ exitCode: 1, damage: [{ kind: 'item', name: `${partition} ${sort}` }] })
  })

  it('gives checksums to what older versions wrote', async () => {
    const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
    sqlite.exec('update objects set crc = null, sums = null; update ledger set crc = null, key_crc = null')
    sqlite.close()
    const first = await verify()
    expect(first.sums_added).toBeGreaterThan(keys.length)
    expect(await verify()).toMatchObject({ exitCode: 0, sums_added: 0 })
  })

  function bodyOf(key: string): Uint8Array {
    const sqlite = new DatabaseSync(join(folder, 'espalier.db'), { readOnly: true })
    const body = sqlite.prepare('select body from objects where key = ?').get(key)?.body as Uint8Array
    sqlite.close()
    return body
  }

  function setBody(key: string, body: Uint8Array): void {
    const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
    sqlite.prepare('update objects set body = ? where key = ?').run(body, key)
    sqlite.close()
  }
})
