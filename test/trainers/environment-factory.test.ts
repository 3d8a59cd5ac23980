import { readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEnvHost } from '../../containers/env-host/start-env-host.ts'
import { textcraft } from '../../shared/environments/textcraft/textcraft.ts'
import { serveAll } from '../containers/env-host/open-table.ts'
import { installPackage } from '../python-client/python-package.ts'
import { runPython } from './run-python.ts'

type Call = [tool: string, given: Record<string, unknown>]

interface Trained {
  losses: number[]
  means: number[]
  changed: boolean
  seen: { calls: Call[]; reward: number }[]
}

const task = 'textcraft-0054'
const honeycomb = (count: number) => ({ count, item: 'honeycomb' })
const right: Call[] = [
  ['get', honeycomb(4)],
  ['craft', { count: 1, item: 'honeycomb block', using: [honeycomb(4)] }],
]

/** The reward of the calls, by the rules themselves. */
function rewardOf(calls: readonly Call[]): number {
  let { state } = textcraft.reset(task, 0)
  let reward = 0
  for (const [tool, { count, item }] of calls) {
    const action = tool === 'craft' ? `craft ${count} ${item} using 4 honeycomb` : `${tool} ${count} ${item}`
    const result = textcraft.step(state, action)
    ;({ state, reward } = result)
    if (result.done) break
  }
  return reward
}

test("TRL's environment_factory plays an environment by its tools, and gets the rewards of the rules", async () => {
  const installed = await installPackage()
  onTestFinished(installed.remove)
  const host = await startEnvHost(
    {
      ...{ port: 0, bind: '127.0.0.1', slots: 40, sessionIdle: 600, leaveAfter: 900, yieldAfter: 60 },
      ...{ leavesSpent: false, data: {}, modules: [], moduleLimits: {}, programs: [], accessKey: null },
      roots: { agentgym: null, openenv: null },
    },
    await serveAll(),
    () => undefined,
  )
  onTestFinished(() => host.drain('the test is over'))
  const lib = join(installed.python, '../../lib')
  const beside = (await readdir(lib)).map((version) => join(lib, version, 'site-packages'))
  const examples = resolve(import.meta.dirname, '../../examples')
  const address = `http://127.0.0.1:${host.port}`
  const job = { address, examples, task, right, wrong: [], beside }
  const [trained] = await runPython<Trained>(
    'train_environment.py',
    [job],
    String(installed.environment.PYTHONPATH),
  )
  expect(trained?.losses).toHaveLength(2)
  expect(trained?.losses.every(Number.isFinite)).toBe(true)
  expect(trained?.changed).toBe(true)
  const seen = trained?.seen ?? []
  expect(seen).toHaveLength(16)
  expect(seen.map(({ reward }) => reward)).toEqual(seen.map(({ calls }) => rewardOf(calls)))
  expect(new Set(seen.map(({ reward }) => reward))).toEqual(new Set([0, 1]))
}, 900_000)
