import { cp } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCli } from '../../cli/run-cli.ts'
import { openService, type Service } from '../../local/open-service.ts'
import type { Dataset } from '../../shared/core/contracts/dataset.ts'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import type { FoundDamage } from '../../shared/core/world/local/verify-store.ts'
import { recordingTerminal } from '../cli/recording-terminal.ts'
import { flipBits, flipFirstPage } from '../core/world/local/flip-bits.ts'
import { lentFolder, temporaryFolder } from '../support/temporary-folder.ts'

interface Verified {
  ok: boolean
  objects: number
  damage: FoundDamage[]
  mended: string[]
}

/** A request of the API by its method, path and body. */
interface Asked {
  path: string
  body?: object
}

let folder: string
let remove: () => Promise<void>
let asked: Asked[]
let good: Map<string, string>
let sound: Map<string, string | null> = new Map()

describe('a played folder with flipped bits', () => {
  beforeAll(async () => {
    ;({ folder, remove } = await lentFolder())
    const runs = [
      await play('--method', 'mcts', '--set', 'iterations=6', '--limit', '8'),
      await play('--method', 'react', '--limit', '6'),
    ]
    asked = await withService(folder, (service) => prepare(service, runs))
    good = await answers(folder)
    sound = await bodies(folder)
    // Of the sound folder every answer is there, and the same each time.
    expect([...good].filter(([, answer]) => !answer.startsWith('200 ')).map(([name]) => name)).toEqual([])
    expect(await answers(folder)).toEqual(good)
  })
  afterAll(() => remove())

  test.each([1, 2])(
    'serves none of 300 flipped bits, and verify names each object that cannot be read (seed %i)',
    async (seed) => {
      const copy = await damagedCopy((path) => flipBits(path, 300, seed))
      const found = await answers(copy).catch(refusal)
      if (EspalierError.isInstance(found)) {
        // The pages of the ledger are damaged, and no service can be opened without it.
        expect(await verify(copy)).toMatchObject({ exitCode: 1, ok: false })
        return
      }
      const wrong = [...found].filter(([name, answer]) => !isRight(name, answer))
      expect({ seed, wrong }).toEqual({ seed, wrong: [] })
      const refused = [...found.values()].filter((answer) => answer.includes('"code":"damaged_object"'))
      expect(refused.length).toBeGreaterThan(20)

      const before = await bodies(copy)
      expect(wrongBodies(before)).toEqual([])
      const verified = await verify(copy)
      expect(verified).toMatchObject({ exitCode: 1, ok: false })
      const after = await bodies(copy)
      expect(wrongBodies(after)).toEqual([])
      const listed = new Set(verified.damage.map(({ name }) => name))
      const unlisted = [...after].filter(([key, body]) => body === null && !listed.has(key))
      // Of few both copies of the key are damaged: these are listed under what is left of it.
      const nameless = verified.damage.filter(({ kind, name }) => kind !== 'item' && !sound.has(name))
      expect(unlisted.length).toBeLessThanOrEqual(Math.min(3, nameless.length))
      expect(verified.mended.filter((key) => after.get(key) === null)).toEqual([])
      // Again, it finds the same.
      expect((await verify(copy)).damage).toEqual(verified.damage)
    },
  )

  test('cannot be opened if its first page is damaged: verify says so, and the way out', async () => {
    let refused = 0
    for (let seed = 1; seed <= 40; seed += 1) {
      const copy = await damagedCopy((path) => flipFirstPage(path, seed))
      const terminal = recordingTerminal({})
      const exitCode = await runCli(['verify', '--json', '--folder', copy], terminal)
      const said = JSON.parse(terminal.outs.join('\n'))
      expect([0, 1]).toContain(exitCode)
      expect(said.ok ?? false).toBe(exitCode === 0)
      if (said.error === undefined) continue
      refused += 1
      expect(said.error.code).toBe('storage_failed')
      expect(said.error.message).toMatch(
        /espalier\.db.*restore.*restore the whole folder from a copy\. \d+ large bodies/i,
      )
    }
    expect(refused).toBeGreaterThan(5)
  })
})

/** @returns the id of the run */
async function play(...words: string[]): Promise<string> {
  const terminal = recordingTerminal({})
  const common = ['run', '--environment', 'textcraft', '--model', 'simulated', '--json', '--folder', folder]
  expect(await runCli([...common, ...words], terminal)).toBe(0)
  return /run-\w+-\w+/.exec(terminal.outs.join('\n'))?.[0] ?? ''
}

/** Builds a dataset of the runs, and lists every request whose answer rests on stored bytes. */
async function prepare(service: Service, runs: string[]): Promise<Asked[]> {
  const json = async <Answer>(path: string, body?: object) =>
    JSON.parse((await ask(service, { path, ...(body && { body }) })).slice(4)) as Answer
  const { id } = await json<Dataset>('/v1/datasets', { runs, parameters: { min_reward: 0 } })
  const status = async () => (await json<Dataset>(`/v1/datasets/${id}`)).status
  await vi.waitFor(async () => expect(await status()).toBe('succeeded'), { timeout: 120_000, interval: 50 })
  const files = await json<List<{ url: string }>>(`/v1/datasets/${id}/files`)
  const found: Asked[] = [
    ...['/v1/runs', '/v1/datasets', '/v1/experiments', `/v1/datasets/${id}`].map((path) => ({ path })),
    ...[`/v1/datasets/${id}/readme`, `/v1/datasets/${id}/rows`].map((path) => ({ path })),
    ...files.data.map(({ url }) => ({ path: url.replace(/^https?:\/\/[^/]+/, '') })),
    { path: '/v1/reports/compare', body: { runs } },
  ]
  for (const run of runs) {
    for (const part of ['', '/episodes', '/report', '/curve', '/events'])
      found.push({ path: `/v1/runs/${run}${part}` })
    const { data } = await json<List<Episode>>(`/v1/runs/${run}/episodes`)
    for (const { id: episode } of data)
      for (const part of ['', '/tree', '/trajectory', '/growth', '/calls', '/nodes/1'])
        found.push({ path: `/v1/runs/${run}/episodes/${episode}${part}` })
  }
  return found
}

/** The status and the body of an answer; an address to which it sends is followed. */
async function ask(service: Service, { path, body }: Asked): Promise<string> {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(new URL(path, service.address), body === undefined ? {} : init)
  const bytes = Buffer.from(await answer.arrayBuffer())
  const isText = /json|text/.test(answer.headers.get('content-type') ?? '')
  return `${answer.status} ${bytes.toString(isText ? 'utf8' : 'base64')}`
}

async function withService<Result>(
  path: string,
  use: (service: Service) => Promise<Result>,
): Promise<Result> {
  const service = await openService({ folder: path, port: 0, log: () => undefined })
  try {
    return await use(service)
  } finally {
    await service.close({ grace: 1 })
  }
}

async function answers(path: string): Promise<Map<string, string>> {
  return withService(path, async (service) => {
    const found = new Map<string, string>()
    for (const one of asked)
      found.set(`${one.path} ${JSON.stringify(one.body ?? null)}`, await ask(service, one))
    return found
  })
}

/** @returns the error of a folder that is refused because of its damage */
function refusal(error: unknown): EspalierError {
  expect(error).toMatchObject({ code: 'damaged_object', message: expect.stringContaining('espalier verify') })
  return error as EspalierError
}

/** The bytes of the sound folder, or an error that names what is damaged. */
function isRight(name: string, answer: string): boolean {
  const right = good.get(name) ?? ''
  if (answer === right || answer.startsWith('507 '))
    return answer === right || /"code":"damaged_object"/.test(answer)
  // A stream of events that has begun ends with the error.
  const [sent = '', error] = answer.split('event: error\n')
  return error !== undefined && right.startsWith(sent) && /"code":"damaged_object"/.test(error)
}

async function damagedCopy(damage: (path: string) => unknown): Promise<string> {
  const copy = await temporaryFolder()
  await cp(folder, copy, { recursive: true })
  damage(copy)
  return copy
}

/** The bytes of every object; null for one that is refused. */
async function bodies(path: string): Promise<Map<string, string | null>> {
  const world = await openLocalWorld({ folder: path })
  try {
    const wanted =
      sound.size > 0
        ? [...sound.keys()]
        : (await world.objects.list('', { limit: 10_000 })).objects.map(({ key }) => key)
    const found = new Map<string, string | null>()
    for (const key of wanted) {
      const stored = await world.objects.get(key).catch((error: unknown) => {
        expect(EspalierError.isInstance(error) && error.code, String(error)).toBe('damaged_object')
        return 'refused' as const
      })
      found.set(key, stored === 'refused' ? null : Buffer.from(stored?.body ?? []).toString('base64'))
    }
    return found
  } finally {
    await world.close()
  }
}

function wrongBodies(found: Map<string, string | null>): string[] {
  return [...found].filter(([key, body]) => body !== null && body !== sound.get(key)).map(([key]) => key)
}

async function verify(path: string): Promise<Verified & { exitCode: number }> {
  const terminal = recordingTerminal({})
  const exitCode = await runCli(['verify', '--json', '--folder', path], terminal)
  return { exitCode, ...(JSON.parse(terminal.outs.join('\n')) as Verified) }
}
