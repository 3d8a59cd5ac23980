import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { memoryOfTree } from './process-memory.ts'
import { type Stepped, sum } from './step-browsergym.ts'

export async function stepHost(
  sessions: number,
  settings: {
    environment: string
    task: string
    files: Readonly<Record<string, string>>
    seconds: number
    options: JsonObject
  },
): Promise<Stepped> {
  const entry = join(import.meta.dirname, '../../containers/browser/browser.ts')
  const host = spawn(process.execPath, [entry], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const [line] = (await once(createInterface({ input: host.stdout }), 'line')) as [string]
    const { port } = JSON.parse(line) as { port: number }
    const pool = new Pool(`http://127.0.0.1:${port}`, {
      connections: sessions,
      bodyTimeout: 0,
      headersTimeout: 0,
    })
    const opening = performance.now()
    const ids = await Promise.all(Array.from({ length: sessions }, () => open(pool, settings)))
    const opened = (performance.now() - opening) / 1000 / sessions
    const rates = await Promise.all(ids.map((id) => stepFor(pool, id, settings.seconds)))
    const memory = await memoryOfTree(host.pid ?? 0)
    await pool.destroy()
    return { rate: sum(rates), opened, memory }
  } finally {
    host.kill('SIGTERM')
    if (host.exitCode === null) await once(host, 'exit')
  }
}

async function open(
  pool: Pool,
  { environment, task, files, options }: Parameters<typeof stepHost>[1],
): Promise<string> {
  const request = { environment, task, seed: 0, token: 1, files, options }
  return (await send<{ id: string }>(pool, '/sessions', request)).id
}

async function stepFor(pool: Pool, id: string, seconds: number): Promise<number> {
  const begun = performance.now()
  let steps = 0
  while (performance.now() - begun < seconds * 1000) {
    const request = { action: 'press [Tab]', step_index: steps, token: 1 }
    const { valid, done } = await send<{ valid: boolean; done: boolean }>(
      pool,
      `/sessions/${id}/step`,
      request,
    )
    if (!valid || done) throw new Error('The step was refused.')
    steps += 1
  }
  return steps / ((performance.now() - begun) / 1000)
}

async function send<Answer>(pool: Pool, path: string, request: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const answer = await pool.request({ path, method: 'POST', headers, body: JSON.stringify(request) })
  if (answer.statusCode >= 300)
    throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`)
  return (await answer.body.json()) as Answer
}
