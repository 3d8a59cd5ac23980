import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CanaryResult } from '../../canary/canary-result.ts'
import { uniqueName } from '../core/contracts/world/contract-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { noFaults } from './emulators/fault-proxy.ts'
import { type ServedStage, serveStage } from './lambda/serve-stage.ts'
import { isAccount } from './not-shown.ts'

const program = join(import.meta.dirname, '../../canary/canary.ts')

/** The program as an operator runs it. */
async function canary(words: string[], environment: Record<string, string | undefined> = {}) {
  const child = spawn(process.execPath, [program, ...words], { env: { ...process.env, ...environment } })
  const closed = once(child, 'close')
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = (await closed) as [number | null]
  return { code, out, error }
}

if (isAccount)
  console.log('not shown: account: the canary over emulators; `npm run canary` is its own test there')

describe.runIf(!isAccount)('npm run canary', () => {
  let served: ServedStage
  beforeAll(async () => {
    served = await serveStage({
      name: uniqueName(),
      endpoints: { endpoints: {} },
      faults: { rates: noFaults, seed: 0 },
      isTwice: () => false,
      milliseconds: 900_000,
      hosts: true,
    })
  })
  afterAll(() => served.close())

  test('plays on a stage and here, finds every tree the same, reads the meters and removes what it made', async () => {
    const json = join(await temporaryFolder(), 'result.json')
    const words = ['--stage', served.name, '--episodes', '60', '--hosted', '4', '--meters-after', '0']
    const { code, out, error } = await canary([...words, '--json', json], served.environment)
    expect({ code, error }, out).toEqual({ code: 0, error: '' })
    const result = JSON.parse(await readFile(json, 'utf8')) as CanaryResult
    expect(result.findings).toEqual([])
    expect(result.runs.map(({ name, sameTrees }) => [name, sameTrees])).toEqual([
      ['simulated', 60],
      ['hosted', 4],
    ])
    const measured = new Map(result.measures?.functions.map((one) => [one.name, one.invocations]))
    for (const name of ['advance-episodes', 'api', 'call-host'] as const)
      expect(measured.get(name), name).toBeGreaterThan(0)
    expect(result.measures?.dynamodb.writes).toBeGreaterThan(60)
    expect(result.measures?.s3?.writes).toBeGreaterThan(3 * 60)
    expect(result.measures?.sqs.sent).toBeGreaterThanOrEqual(64)
    expect(result.measures?.sqs.received).toBeGreaterThanOrEqual(64)
    expect(result.cost.filter(({ dollars }) => dollars === null).map(({ service }) => service)).toEqual([
      'the rest',
    ])
    for (const { run } of result.runs) {
      expect((await served.stage.world.objects.list(`runs/${run}/`)).objects).toEqual([])
      expect(await served.stage.world.ledger.get({ partition: `run/${run}`, sort: 'run' })).toBeNull()
    }
  }, 300_000)

  test('is part of a night, which names every step that needs an account', async () => {
    const nightly = join(import.meta.dirname, '../../canary/nightly/nightly.ts')
    const words = [nightly, '--stage', served.name]
    const child = spawn(process.execPath, words, { env: { ...process.env, ...served.environment } })
    const closed = once(child, 'close')
    const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [code] = (await closed) as [number | null]
    expect({ code, error }, out).toEqual({ code: 0, error: '' })
    expect(out).toMatch(/^passed +canary/m)
    for (const method of ['react', 'mcts', 'rmcts']) expect(out).toContain(`${method} by lambda: 4 episodes`)
    expect(out).toMatch(/a dataset of \d+ rows/)
    const hidden = out.slice(out.indexOf('Not shown without an account:'))
    expect(hidden.match(/^- .+: .+$/gm)).toHaveLength(9)
    expect(hidden).toContain('3 passed, 0 failed, 9 not shown')
  }, 300_000)

  test('says what differs, and ends with 1', async () => {
    const endpoints = join(await temporaryFolder(), 'endpoints.json')
    await writeFile(
      endpoints,
      JSON.stringify({ endpoints: { simulated: { kind: 'simulated', skill: 0.1 } } }),
    )
    const words = ['--stage', served.name, '--episodes', '3', '--hosted', '0', '--meters-after', '0']
    const { code, out } = await canary([...words, '--endpoints', endpoints], served.environment)
    expect(code, out).toBe(1)
    expect(out).toMatch(/finding {3}simulated: \d trees differ: ep-/)
  })

  test.each<[string, string[], Record<string, string | undefined>, string]>([
    ['no stage', [], {}, '--stage NAME'],
    ['a stage that is none', ['--stage', 'nowhere'], {}, 'no stage "nowhere"'],
    ['no key', ['--stage', 'any'], { ESPALIER_API_KEY: undefined }, 'ESPALIER_API_KEY'],
    ['a wrong number', ['--stage', 'any', '--episodes', 'many'], {}, '--episodes is a whole number'],
    [
      'no credentials',
      ['--stage', 'any'],
      { AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined },
      'credentials',
    ],
  ])('says that there is %s, and ends with 2', async (_, words, environment, message) => {
    const { code, error } = await canary(words, { ESPALIER_API_KEY: 'none', ...environment })
    expect(code).toBe(2)
    expect(error).toContain(message)
  })

  test('explains itself', async () => {
    const { code, out } = await canary(['--help'])
    expect(code).toBe(0)
    expect(out).toContain('npm run canary -- --stage NAME')
  })
})
