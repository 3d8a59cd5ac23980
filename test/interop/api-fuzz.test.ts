import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ModelEndpoint } from '../../chaos/model-endpoint.ts'
import type { CreatedKey } from '../../shared/core/contracts/key.ts'
import { startEspalier } from '../service/processes.ts'
import { pythonWith } from '../support/python-venv.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

// Longer: FUZZ_REQUESTS=20000 FUZZ_SECONDS=3600 npm test -- --project interop api-fuzz. FUZZ_REPORT=FILE keeps the report.

const run = promisify(execFile)
const packed = resolve(import.meta.dirname, '../fixtures/folder-of-2026-11-22.tar.gz')
const fuzzer = join(import.meta.dirname, 'python/fuzz_api.py')
const longest = Number(process.env.FUZZ_SECONDS ?? 30)
const most = Number(process.env.FUZZ_REQUESTS ?? 20_000)
/** Requests after which nearly every operation must have been reached. */
const long = 20_000
const standIn = resolve(import.meta.dirname, '../learn/trainings/stand-in-command.mjs')
/** Waits at its fifth step until it is paused or cancelled. */
const idle = {
  kind: 'command',
  command: standIn,
  arguments: ['{job}', 'waits', '--resume={resume}'],
  recipes: ['sft'],
  formats: ['openai', 'trl'],
  at_once: 8,
}
let python: string

interface Report {
  requests: number
  operations: number
  reached: number
  failures: Record<string, unknown>
  unreached: Record<string, unknown>
}

beforeAll(async () => {
  python = await pythonWith('test/interop/fuzz-requirements.txt')
})

/** An endpoint that never answers, and one that refuses some prompts, so that runs go on and episodes end as errored. */
async function openEndpoints(): Promise<object> {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const refusing = new ModelEndpoint({ seed: 34, isQuick: true })
  refusing.refusing.add('refused')
  await refusing.listen()
  onTestFinished(async () => {
    silent.closeAllConnections()
    silent.close()
    await refusing.close()
  })
  const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`
  return {
    silent: { kind: 'openai', base_url: silentUrl, timeout: 20 },
    refusing: { kind: 'openai', base_url: refusing.addresses.base_url },
  }
}

/** Serves a folder with played runs, datasets, a memory, a library and an import, and asks for keys. */
async function serve() {
  const outer = await temporaryFolder()
  await run('tar', ['-xzf', packed, '-C', outer])
  const folder = join(outer, 'folder')
  await writeFile(join(folder, 'trainers.json'), JSON.stringify({ trainers: { idle }, folders: [] }))
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: await openEndpoints() }))
  const words = ['--folder', folder, '--port', '0', '--auth', 'keys', '--simulated-latency', '0']
  const { first } = await startEspalier('serve', ...words)
  const { address, word } = JSON.parse(await readFile(join(folder, 'service.json'), 'utf8'))
  expect(first).toMatchObject({ address })
  const created = await fetch(`${address}/v1/keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${word}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'fuzz', scopes: ['admin'] }),
  })
  expect(created.status).toBe(201)
  const { key, id } = (await created.json()) as CreatedKey
  return { address, env: { ...process.env, FUZZ_KEY: key, FUZZ_KEY_ID: id, FUZZ_OPERATOR: word } }
}

test(
  'generated requests with ids of earlier answers are answered as the document says, and never with a 5xx',
  async () => {
    const { address, env } = await serve()
    const words = [fuzzer, address, '--requests', String(most), '--seconds', String(longest)]
    const { stdout } = await run(python, words, {
      env,
      maxBuffer: 64 * 1024 * 1024,
      timeout: (longest + 240) * 1000,
    })
    const report = JSON.parse(stdout) as Report
    if (process.env.FUZZ_REPORT !== undefined) await writeFile(process.env.FUZZ_REPORT, stdout)
    console.log(`${report.requests} requests reached ${report.reached} of ${report.operations} operations.`)
    if (report.requests >= long) console.log(report.unreached)
    expect(report.failures).toEqual({})
    expect(report.requests).toBeGreaterThan(50)
    if (report.requests >= long) expect(report.reached / report.operations).toBeGreaterThanOrEqual(0.9)
  },
  (longest + 420) * 1000,
)
