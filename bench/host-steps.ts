import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Pool } from 'undici'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import { report } from './figure.ts'

const clients = 16
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const held = 20_000
const actions = [
  'get 2 oak logs',
  'craft 4 oak planks using 1 oak logs',
  'inventory',
  'look around',
  'get 1 stick',
]

// The servers are separate processes, one of them this file.
if (process.argv[2] === 'bare') await answerAlways()
else await measure()

async function answerAlways(): Promise<void> {
  const answer = JSON.stringify({
    object: 'session.step',
    session: 'session-00000000-0000-0000-0000-000000000000',
    step_index: 0,
    observation: 'Got 2 oak logs',
    reward: 0,
    done: false,
    valid: true,
    progress: 0,
    state_hash: '0123456789abcdef',
    path: '0123456789abcdef',
  })
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    if (pieces.length > 0) JSON.parse(Buffer.concat(pieces).toString())
    response.setHeader('content-type', 'application/json')
    response.end(answer)
  })
  server.listen(0, '127.0.0.1', () => {
    console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }))
  })
}

async function measure(): Promise<void> {
  const bare = await atServer([join(import.meta.dirname, 'host-steps.ts'), 'bare'], (pool) => steps(pool))
  const entry = join(import.meta.dirname, '../containers/env-host/env-host.ts')
  const hosted = await atServer([entry], (pool) => steps(pool))
  const kept = await atServer([entry], hold)
  report(
    {
      what: `Steps of a host over HTTP, ${clients} clients, each with a session of its own`,
      value: `${Math.round(hosted)} steps/s`,
      ratio: `${(hosted / bare).toFixed(2)} × a bare server of Node that always answers the same text`,
      aim: '≥ 7,500 steps/s on 2 cores (AgentGym serves about 2,500)',
    },
    {
      what: `Sessions of a host in 1 GB, after ${actions.length} steps each`,
      value: `${Math.round(kept.inOneGigabyte)}`,
      ratio: `${Math.round(kept.perSession)} bytes each beside the ${Math.round(kept.empty / 1e6)} MB of an empty host`,
      aim: '≥ 20,000',
    },
  )
}

async function steps(pool: Pool): Promise<number> {
  let taken = 0
  const play = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      const id = await open(pool)
      for (let index = 0; index < 50 && performance.now() < until; index += 1) {
        await step(pool, id, index)
        taken += 1
      }
    }
  }
  const during = async (time: number): Promise<number> => {
    taken = 0
    const start = performance.now()
    await Promise.all(Array.from({ length: clients }, () => play(start + time * 1000)))
    return taken / ((performance.now() - start) / 1000)
  }
  await during(2)
  return during(seconds)
}

async function hold(pool: Pool, server: ChildProcess) {
  const empty = await resident(server)
  let opened = 0
  const fill = async (): Promise<void> => {
    while (opened < held) {
      opened += 1
      const id = await open(pool)
      for (const index of actions.keys()) await step(pool, id, index)
    }
  }
  await Promise.all(Array.from({ length: clients }, fill))
  const full = await resident(server)
  const perSession = (full - empty) / held
  return { empty, perSession, inOneGigabyte: (1e9 - empty) / perSession }
}

async function open(pool: Pool): Promise<string> {
  const body = JSON.stringify({
    environment: exampleEnvironment,
    task: `${exampleEnvironment}-0042`,
    seed: 0,
    token: 1,
  })
  const answer = await send(pool, '/sessions', body)
  return (answer as { id?: string }).id ?? 'none'
}

async function step(pool: Pool, id: string, step_index: number): Promise<void> {
  const action = actions[step_index % actions.length]
  await send(pool, `/sessions/${id}/step`, JSON.stringify({ action, step_index, token: 1 }))
}

async function send(pool: Pool, path: string, body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const answer = await pool.request({ path, method: 'POST', headers, body })
  if (answer.statusCode >= 300)
    throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`)
  return answer.body.json()
}

async function resident({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024
}

async function atServer<Results>(
  args: string[],
  use: (pool: Pool, server: ChildProcess) => Promise<Results>,
): Promise<Results> {
  const server = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ESPALIER_HOST_SLOTS: '1000000' },
  })
  try {
    const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string]
    const { port } = JSON.parse(line) as { port: number }
    return await use(new Pool(`http://127.0.0.1:${port}`, { connections: clients }), server)
  } finally {
    server.kill('SIGKILL')
  }
}
