import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
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
const trainers = {
  idle: { kind: 'command', command: '/bin/true', recipes: ['sft'], formats: ['openai', 'trl'] },
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

/** Serves a folder with played runs, datasets, a memory, a library and an import, and asks for keys. */
async function serve() {
  const outer = await temporaryFolder()
  await run('tar', ['-xzf', packed, '-C', outer])
  const folder = join(outer, 'folder')
  await writeFile(join(folder, 'trainers.json'), JSON.stringify({ trainers, folders: [] }))
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
    const { stdout } = await run(python, words, { env, maxBuffer: 64 * 1024 * 1024 })
    const report = JSON.parse(stdout) as Report
    if (process.env.FUZZ_REPORT !== undefined) await writeFile(process.env.FUZZ_REPORT, stdout)
    console.log(`${report.requests} requests reached ${report.reached} of ${report.operations} operations.`)
    if (report.requests >= long) console.log(report.unreached)
    expect(report.failures).toEqual({})
    expect(report.requests).toBeGreaterThan(50)
    if (report.requests >= long) expect(report.reached / report.operations).toBeGreaterThanOrEqual(0.9)
  },
  (longest + 120) * 1000,
)
