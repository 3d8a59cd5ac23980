import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Hono } from 'hono'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startEnvHost } from '../../containers/env-host/start-env-host.ts'
import { pddlDefinition } from '../../shared/environments/pddl/definition.ts'
import { pddl } from '../../shared/environments/pddl/pddl.ts'
import { pddlExpert } from '../../shared/environments/pddl/simulated/pddl-expert.ts'
import { serveAll } from '../containers/env-host/open-table.ts'
import { pythonWith } from '../support/python-venv.ts'
import { serveApp } from '../support/serve-app.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
let python = ''

beforeAll(async () => {
  python = await pythonWith('test/openenv/verifiers-requirements.txt')
})

/** The first steps of the expert's plan, and the episode's reward after each. */
async function planned(task: string, most = Number.POSITIVE_INFINITY) {
  const core = await pddl.open(task)
  let { state, observation } = core.reset(task, 0)
  const plan = pddlExpert.look([{ role: 'user', content: observation }])?.plan?.() ?? []
  const steps = plan.slice(0, most).map((action) => {
    const result = core.step(state, action)
    state = result.state
    return { action, reward: result.reward }
  })
  return { task, observation, steps }
}

type Planned = Awaited<ReturnType<typeof planned>>

/** A model that takes the planned steps by the conversation's length, and says nothing after the last. */
async function serveModel(plans: readonly Planned[]): Promise<string> {
  const app = new Hono()
  app.post('/v1/chat/completions', async (context) => {
    const { messages, model } = await context.req.json<{
      messages: { role: string; content: string }[]
      model: string
    }>()
    const said = messages.filter(({ role }) => role === 'user').map(({ content }) => JSON.parse(content))
    const plan = plans.find(({ observation }) => observation === said[0].observation.text)
    const content = plan?.steps[said.length - 1]?.action ?? ''
    const chunk = (delta: object, end: string | null) =>
      `data: ${JSON.stringify({ id: 'answer', object: 'chat.completion.chunk', created: 0, model, choices: [{ index: 0, delta, finish_reason: end }] })}\n\n`
    const events = [chunk({ role: 'assistant', content }, null), chunk({}, 'stop'), 'data: [DONE]\n\n']
    return context.body(events.join(''), 200, { 'content-type': 'text/event-stream' })
  })
  return serveApp(app)
}

interface Episode {
  ok: boolean
  traces: { rewards: { openenv_reward: { score: number } }; calls: object[]; stop_condition: string }[]
}

test("verifiers' OpenEnv taskset adds the steps up to the episode's reward", async () => {
  const plans = [await planned('tyreworld-014'), await planned('tyreworld-032', 2)]
  const last = plans.map(({ steps }) => steps.at(-1)?.reward ?? 0)
  expect(last).toEqual([1, expect.closeTo(2 / 3, 10)])
  const ofStates = plans.map(({ steps }) => steps.reduce((sum, { reward }) => sum + reward, 0))
  expect(ofStates).toEqual([expect.closeTo(3, 10), expect.closeTo(1, 10)])
  const host = await startEnvHost(
    {
      ...{ port: 0, bind: '127.0.0.1', slots: 4, sessionIdle: 600, leaveAfter: 600, yieldAfter: 60 },
      ...{ leavesSpent: false, data: {}, modules: [], moduleLimits: {}, programs: [], accessKey: null },
      roots: { agentgym: null, openenv: null },
    },
    await serveAll([pddlDefinition]),
    () => undefined,
  )
  onTestFinished(() => host.drain('the test is over'))
  const folder = await temporaryFolder()
  const configuration = {
    model: 'planned',
    push: false,
    output_dir: folder,
    run: { dir: 'played' },
    client: { base_url: `${await serveModel(plans)}/v1`, api_key_var: 'NO_KEY' },
    env: {
      taskset: {
        id: 'openenv',
        base_url: `http://127.0.0.1:${host.port}/openenv/pddl`,
        resets: plans.map(({ task }) => ({ task })),
      },
      player: { harness: { id: 'null' }, runtime: { type: 'subprocess' } },
    },
  }
  await writeFile(join(folder, 'eval.json'), JSON.stringify(configuration))
  const env = { ...process.env, PATH: `${dirname(python)}:${process.env.PATH}` }
  // The programs of a kept environment name the folder in which it was made, so `vf-eval` itself does not start.
  const program = ['-c', 'from verifiers.v1.cli.eval.main import main; main()']
  await run(python, [...program, '@', 'eval.json', '--no-rich'], { cwd: folder, env, maxBuffer: 2 ** 26 })
  const lines = (await readFile(join(folder, 'played/traces.jsonl'), 'utf8')).trim().split('\n')
  const episodes = lines.map(
    (line) => JSON.parse(line) as Episode & { task: { data: { reset: { task: string } } } },
  )
  const played = plans.map(({ task }) => episodes.find((each) => each.task.data.reset.task === task))
  expect(played.map((each) => each?.ok)).toEqual([true, true])
  const rewards = played.map((each) => each?.traces[0]?.rewards.openenv_reward.score)
  for (const [place, reward] of rewards.entries()) expect(reward).toBeCloseTo(last[place] ?? Number.NaN, 12)
  expect(played.map((each) => each?.traces[0]?.calls.length)).toEqual([5, 3])
}, 300_000)
