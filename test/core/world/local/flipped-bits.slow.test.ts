import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EspalierError } from '../../../../shared/core/contracts/errors.ts'
import { seededRandom } from '../../../../shared/core/random/seeded-random.ts'
import { type LocalWorld, openLocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'
import { describeDamageContract } from '../../contracts/world/damage-contract.ts'
import { flipBits, flipBody, flipPageHeader, flipRootPage } from './flip-bits.ts'
import { openForContract, openTestWorld, testFolder } from './local-test-world.ts'

describeDamageContract('the local world', async () => {
  const opened = await openForContract()
  return { ...opened, flip: async (key, at) => flipBody(opened.world.folder, key, at) }
})

const runs = ['run-a', 'run-b', 'run-c']
const episodes = Array.from({ length: 8 }, (_, index) => `episode-${index}`)

describe('a folder with flipped bits', () => {
  let folder: string
  let good: Map<string, string>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'espalier-flipped-'))
    await fill(folder)
    good = await answers(folder)
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('serves none of them, whichever single bit it is', async () => {
    let noticed = 0
    for (let seed = 1; seed <= 40; seed += 1) noticed += (await flipped(1, seed)).length > 0 ? 1 : 0
    expect(noticed).toBeGreaterThan(20)
  })

  test('hides no entry, whichever bit of a page header it is', async () => {
    let noticed = 0
    for (let seed = 1; seed <= 80; seed += 1)
      noticed += (await damaged(seed, (copy) => flipPageHeader(copy, seed))).length > 0 ? 1 : 0
    expect(noticed).toBeGreaterThan(3)
  })

  test('believes the other table, whichever bit of the root page of one it is', async () => {
    let brokenOff = 0
    for (let seed = 1; seed <= 80; seed += 1) {
      const copy = await testFolder()
      await cp(folder, copy, { recursive: true })
      flipRootPage(copy, 'objects', seed)
      brokenOff += isCheckBrokenOff(copy) ? 1 : 0
      const found = await answers(copy)
      const items = [...good].filter(([name]) => /^run-\w (?!objects)|^runs$/.test(name))
      expect({ seed, wrong: items.filter(([name, answer]) => found.get(name) !== answer) }).toEqual({
        seed,
        wrong: [],
      })
    }
    expect(brokenOff).toBeGreaterThan(0)
  })

  test('serves none of three hundred', async () => {
    const refused = await flipped(300, 4711)
    // Nine tenths of the bytes are in three large bodies, which all are hit; the other flips lie in rows.
    expect(refused).toEqual(expect.arrayContaining(runs.map((run) => `runs/${run}/${episodes[0]}/tree.json`)))
    expect(refused.length).toBeGreaterThan(30)
  })

  /** @returns the answers that were refused; the others must be those of the sound folder */
  function flipped(count: number, seed: number): Promise<string[]> {
    return damaged(seed, (copy) => flipBits(copy, count, seed))
  }

  async function damaged(seed: number, flip: (copy: string) => unknown): Promise<string[]> {
    const copy = await testFolder()
    await cp(folder, copy, { recursive: true })
    flip(copy)
    const found = await answers(copy).catch((error: unknown) => {
      // Where the rows begin on a page is damaged for what is read as the folder is opened.
      expect(EspalierError.isInstance(error)).toBe(true)
      return null
    })
    if (found === null) return []
    const refused = [...found].filter(([, answer]) => answer === 'damaged_object')
    const wrong = [...found].filter(
      ([name, answer]) => answer !== 'damaged_object' && answer !== good.get(name),
    )
    expect({ seed, wrong }).toEqual({ seed, wrong: [] })
    return refused.map(([name]) => name)
  }
})

describe('a folder of version 2', () => {
  test('is read as before, its bodies compared with their etags', async () => {
    const folder = await testFolder()
    await fill(folder)
    const before = await answers(folder)
    toVersion2(folder)
    expect(await answers(folder)).toEqual(before)
    toVersion2(folder)
    const world = await openTestWorld(folder)
    const [small, large] = [`runs/run-a/${episodes[1]}/journal`, `runs/run-a/${episodes[0]}/tree.json`]
    for (const key of [small, large]) {
      flipBody(folder, key, 3)
      await expect(world.objects.get(key)).rejects.toMatchObject({ code: 'damaged_object' })
      await expect(world.objects.get(key, { start: 5, end: 6 })).rejects.toMatchObject({
        code: 'damaged_object',
      })
    }
    expect(world.damage.names).toEqual([small, large].map((key) => `the object "${key}"`))
  })
})

async function fill(folder: string): Promise<void> {
  const random = seededRandom('flipped bits')
  const body = (size: number) => Uint8Array.from({ length: size }, () => Math.floor(random() * 256))
  const { objects, ledger, close } = await openLocalWorld({ folder })
  for (const run of runs) {
    await ledger.update({ key: { partition: 'runs', sort: run }, set: { id: run, status: 'running' } })
    for (const [index, episode] of episodes.entries()) {
      const note = 'n'.repeat(Math.floor(random() * 2000))
      const key = { partition: `run/${run}`, sort: `episode/${episode}` }
      await ledger.update({ key, set: { index, reward: random(), note } })
      await objects.put(`runs/${run}/${episode}/journal`, body(100 + Math.floor(random() * 9000)))
      await objects.put(`runs/${run}/${episode}/tree.json`, body(index === 0 ? 900_000 : 2000))
    }
  }
  await close()
}

/** Everything that a reader can ask a folder: as texts, or the code of the error. */
async function answers(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const world = await openLocalWorld({ folder })
  const ask = async (name: string, answer: () => Promise<unknown>) => {
    found.set(name, await answer().then(JSON.stringify, (error) => String(error.code)))
  }
  try {
    for (const run of runs) await askRun(world, run, ask)
    await ask('runs', () => world.ledger.query('runs'))
    await ask('objects', () => world.objects.list(''))
  } finally {
    await world.close()
  }
  return found
}

async function askRun(
  { objects, ledger }: LocalWorld,
  run: string,
  ask: (name: string, answer: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const partition = `run/${run}`
  await ask(`${run} objects`, () => objects.list(`runs/${run}/`))
  await ask(`${run} items`, () => ledger.query(partition, { prefix: 'episode/' }))
  await ask(`${run} last items`, () => ledger.query(partition, { reverse: true, limit: 3 }))
  for (const episode of episodes) {
    for (const key of ['journal', 'tree.json', 'absent'].map((name) => `runs/${run}/${episode}/${name}`)) {
      await ask(key, async () => readable(await objects.get(key)))
      await ask(`${key} in part`, async () => readable(await objects.get(key, { start: 50, end: 90 })))
      await ask(`${key} from outside`, () => objects.head(key))
    }
    await ask(`${run} ${episode}`, () => ledger.get({ partition, sort: `episode/${episode}` }))
    await ask(`${run} ${episode} absent`, () => ledger.get({ partition, sort: `episode/${episode}/absent` }))
  }
}

/** True if SQLite's own check of all tables fails instead of naming the damage. */
function isCheckBrokenOff(folder: string): boolean {
  const sqlite = new DatabaseSync(join(folder, 'espalier.db'), { readOnly: true })
  try {
    sqlite.prepare('pragma quick_check(100)').all()
    return false
  } catch {
    return true
  } finally {
    sqlite.close()
  }
}

function readable(stored: { body: Uint8Array } | null): unknown {
  return stored && { ...stored, body: Buffer.from(stored.body).toString('base64') }
}

/** Takes away what programs of version 2 did not write. */
function toVersion2(folder: string): void {
  const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
  for (const [table, column] of [
    ['objects', 'crc'],
    ['objects', 'sums'],
    ['ledger', 'key_crc'],
    ['ledger', 'crc'],
  ])
    sqlite.exec(`alter table ${table} drop column ${column}`)
  sqlite.exec('pragma user_version = 2')
  sqlite.close()
}
