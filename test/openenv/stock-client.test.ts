import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { textcraft } from '../../shared/environments/textcraft/textcraft.ts'
import { pythonWith } from '../support/python-venv.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
let python = ''

beforeAll(async () => {
  python = await pythonWith('test/openenv/requirements.txt')
})

async function startHost(environment: Record<string, string> = {}): Promise<string> {
  const host = spawn(process.execPath, [join(root, 'containers/env-host/env-host.ts')], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    host.kill()
  })
  const [line] = (await once(host.stdout, 'data')) as [Buffer]
  const { port } = JSON.parse(String(line)) as { port: number }
  return `http://127.0.0.1:${port}`
}

async function runPython(script: string, ...parameters: string[]): Promise<unknown> {
  const { stdout } = await run(python, [join(import.meta.dirname, script), ...parameters])
  return JSON.parse(stdout)
}

/** The episode in process, in the shapes of the client. */
function expected(actions: readonly string[]) {
  let { state, observation } = textcraft.reset('textcraft-0000', 0)
  const reset = { observation: { text: observation, valid: true, progress: 0 }, reward: null, done: false }
  const steps = actions.map((action) => {
    const result = textcraft.step(state, action)
    ;({ state, observation } = result)
    const { valid, progress, reward, done } = result
    return { observation: { text: observation, valid, progress }, reward, done }
  })
  return { reset, steps }
}

describe("OpenEnv's own client", () => {
  test('plays a host as it is played in process', async () => {
    const address = await startHost()
    const actions = ['inventory', 'get 2 oak logs', 'nonsense', 'get 1 coal', 'inventory', '🌳'.repeat(1000)]
    const played = await runPython('play.py', `${address}/openenv/textcraft`, JSON.stringify(actions))
    const { reset, steps } = expected(actions)
    const place = { environment: 'textcraft', task: 'textcraft-0000', seed: 0 }
    expect(played).toMatchObject({
      episode: {
        before: { episode_id: null, step_count: 0 },
        early: expect.stringContaining('EXECUTION_ERROR'),
        reset,
        steps,
        after: { ...place, episode_id: 'e1', step_count: actions.length },
        again: reset,
      },
      failures: {
        task: expect.stringMatching(/no task "nowhere".*EXECUTION_ERROR/),
        seed: expect.stringContaining('VALIDATION_ERROR'),
        action: expect.stringContaining('VALIDATION_ERROR'),
        after: false,
      },
      synchronous: {
        observation: { text: 'Inventory: You are not carrying anything.' },
        reward: 0,
        done: false,
      },
    })
    const { alongside } = played as { alongside: { goal: string; task: string; step_count: number }[] }
    const tasks = textcraft.tasks().slice(0, 8)
    expect(alongside.map(({ task }) => task)).toEqual(tasks.map(({ id }) => id))
    expect(alongside.map(({ goal }) => goal)).toEqual(
      tasks.map(({ id }, seed) => textcraft.reset(id, seed).observation.split('\n').at(-1)),
    )
    expect(alongside.every(({ step_count }) => step_count === 20)).toBe(true)
    await expect.poll(() => sessionsAt(address)).toBe(0)
  })

  test('gets CAPACITY_REACHED from a full host, and gets in when another leaves', async () => {
    const address = await startHost({ ESPALIER_HOST_SLOTS: '3', ESPALIER_HOST_OPENENV: 'textcraft' })
    const filled = await runPython('fill.py', address, '3')
    expect(filled).toMatchObject({
      told: expect.stringContaining('CAPACITY_REACHED'),
      state: { step_count: 0, task: textcraft.tasks()[0]?.id },
    })
  })
})

test("OpenEnv's own validator passes a host", async () => {
  const address = await startHost()
  const command = ['-m', 'openenv.cli', 'validate', '--url', `${address}/openenv/textcraft`, '--json']
  const { stdout } = await run(python, command)
  expect(JSON.parse(stdout)).toMatchObject({
    passed: true,
    mode: 'simulation',
    standard_profile: 'openenv-http/1.x',
    summary: { failed_criteria: [] },
  })
})

test("OpenEnv's own validator passes the description of a host", async () => {
  const folder = join(root, 'containers/env-host/openenv')
  const command = ['-m', 'openenv.cli', 'validate', folder, '--level', 'static', '--skip-build', '--json']
  const { stdout } = await run(python, command)
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'pass' })
})

async function sessionsAt(address: string): Promise<number> {
  const health = (await (await fetch(`${address}/health`)).json()) as { sessions: number }
  return health.sessions
}
