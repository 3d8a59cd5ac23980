import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../shared/learn/serving/server-process.ts'
import { pythonWith } from '../support/python-venv.ts'
import { startServer } from './start-server.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

test("a host is played by a client that sends what AgentGym's sends", async () => {
  const python = await pythonWith('test/interop/requirements.txt')
  const port = await findFreePort()
  const host = await startServer([process.execPath, join(root, 'containers/env-host/env-host.ts')], {
    port,
    ready: '/health',
    variables: { PORT: String(port) },
  })
  onTestFinished(host.stop)
  const actions = ['inventory', 'get 1 oak log', 'nonsense', 'get 1 nothing at all']
  const script = join(import.meta.dirname, 'python/play_agentgym.py')
  const { stdout } = await run(python, [
    script,
    `${host.address}/agentgym/textcraft`,
    '42',
    JSON.stringify(actions),
  ])
  const played = JSON.parse(stdout)
  expect(played).toMatchObject({
    reset: { observation: expect.stringContaining('Goal: craft'), done: false, reward: 0 },
    steps: [
      { observation: 'Inventory: You are not carrying anything.', done: false },
      { observation: expect.stringContaining('oak log') },
      { observation: expect.any(String), reward: 0 },
      { observation: expect.any(String), reward: 0 },
    ],
  })
  expect(played.shown).toBe(played.reset.observation)
  const health = (await (await fetch(`${host.address}/health`)).json()) as { sessions: number }
  expect(health.sessions).toBe(0)
})
