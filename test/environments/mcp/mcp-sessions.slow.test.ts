import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openMcpEnvironment } from '../../../shared/environments/mcp/mcp-environment.ts'
import { mcpRegistrationSchema } from '../../../shared/environments/mcp/mcp-registration.ts'
import { McpSessions } from '../../../shared/environments/mcp/mcp-sessions.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { validateEnvironment } from '../../../shared/environments/validation/validate-environment.ts'
import { facadeHost } from '../../containers/env-host/facade-host.ts'
import { serveApp } from '../../support/serve-app.ts'
import { openNumberServer } from './number-server.ts'
import { serveOverHttp } from './serve-over-http.ts'

const { signal } = new AbortController()
const command = [process.execPath, join(import.meta.dirname, 'serve-numbers.ts')]

async function openSessions(entry: object) {
  const registration = mcpRegistrationSchema.parse({
    kind: 'mcp',
    server: 'server' in entry ? undefined : { address: (await serveOverHttp(openNumberServer)).address },
    tasks: { test: [{ id: 'seven', instruction: 'Make it seven.', answer: '7.' }] },
    setup: [{ tool: 'prepare', arguments: { goal: 7 }, show: true }],
    reward: { from: 'answer' },
    ...entry,
  })
  const environment = await openMcpEnvironment('lab', registration, import.meta.dirname)
  const { host } = environment
  if (host.kind !== 'mcp') throw new Error('It is another kind of environment.')
  return { environment, sessions: new McpSessions('lab', host) }
}

const request = { task: 'seven', seed: 0, holder: 'test' }

async function play(entry: object, actions: string[]) {
  const { sessions } = await openSessions(entry)
  const { live, result } = await sessions.open(request, signal)
  try {
    const steps = []
    for (const action of actions) steps.push(await live.step(action, signal))
    return { result, steps, last: steps.at(-1) }
  } finally {
    await live.close()
  }
}

describe('a server', () => {
  test('has tools that are the actions, and a task that an action ends', async () => {
    const { environment } = await openSessions({})
    const [task] = environment.tasks()
    if (task === undefined) throw new Error('There are no tasks.')
    const { rules } = environment.describe(task)
    expect(rules).toMatch(/^You change a number\.\n\nEach action is the call of one tool/)
    expect(rules).toContain('- add {"amount": integer}: Adds to the number.\n  amount: How much')
    expect(rules).toContain('end it by: submit ANSWER')
    expect(rules).not.toContain('prepare')
    expect(environment).toMatchObject({ snapshot: 'replay', deterministic: false })
    const { result, steps } = await play({}, ['add {"amount": 4}', 'add 3', 'submit 7'])
    expect(result).toMatchObject({
      observation: 'Make it seven.\n\nThe number is 0, the goal 7.',
      reward: 0,
      done: false,
    })
    expect(steps).toMatchObject([
      { observation: 'The number is 4.', valid: true, reward: 0, done: false },
      { observation: expect.stringContaining('Write: add {"amount": …}'), valid: false },
      { observation: 'The task has ended.', reward: 1, done: true, progress: 1 },
    ])
    expect((await play({}, ['submit eight'])).last).toMatchObject({ reward: 0, done: true })
  })

  test('answers what an agent does wrong as an invalid action', async () => {
    const { steps } = await play({}, [
      'add {"amount": "x"}',
      'add {"amount": -1}',
      'add {"amount": 1000}',
      'prepare {"goal": 0}',
      'add {"amount": 7}',
    ])
    expect(steps.map(({ valid }) => valid)).toEqual([false, false, false, false, true])
    expect(steps[1]?.observation).toBe('Only more is possible.')
    expect(steps[3]?.observation).toContain('no tool "prepare"')
    expect(steps[4]?.observation).toBe('The number is 7.')
  })

  test('is begun anew by a restore, and passes the validator where it is declared deterministic', async () => {
    const { environment, sessions } = await openSessions({ tools: ['add', 'guess'], deterministic: true })
    const { live, result } = await sessions.open(request, signal)
    await live.step('add {"amount": 4}', signal)
    expect(await live.restore(null, signal)).toEqual(result)
    expect((await live.step('add {"amount": 1}', signal)).observation).toBe('The number is 1.')
    await live.close()
    const report = await validateEnvironment(environment, { sessions, tasks: 1, steps: 6 })
    expect(report.checks.filter(({ status }) => status === 'failed')).toEqual([])
  })
})

describe('a server on stdio', () => {
  test('is a process for each session, which ends with it, also where it would stay', async () => {
    const { sessions } = await openSessions({ server: { command: [...command, '--stay'] } })
    const { live, result } = await sessions.open(request, signal)
    expect(result.observation).toContain('The number is 0, the goal 7.')
    const pid = Number((await live.step('process', signal)).observation)
    expect(isAlive(pid)).toBe(true)
    await live.restore(null, signal)
    expect((await live.step('process', signal)).observation).not.toBe(String(pid))
    await live.close()
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('ends with the process that plays it, also where that is killed', async () => {
    const script = join(import.meta.dirname, 'hold-session.ts')
    const player = spawn(process.execPath, [script, JSON.stringify([...command, '--stay'])], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => {
      player.kill('SIGKILL')
    })
    const [line] = (await once(player.stdout, 'data')) as [Buffer]
    const pid = Number(String(line))
    expect(isAlive(pid)).toBe(true)
    player.kill('SIGKILL')
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('gets no variables but those that are named for it', async () => {
    vi.stubEnv('TEST_MCP_SECRET', 'abc123')
    vi.stubEnv('TEST_MCP_OTHER', 'other')
    onTestFinished(() => {
      vi.unstubAllEnvs()
    })
    const server = { command, variables: ['TEST_MCP_SECRET'] }
    const { steps } = await play({ server }, ['variable TEST_MCP_SECRET', 'variable TEST_MCP_OTHER'])
    expect(steps.map(({ observation }) => observation)).toEqual(['abc123', 'unset'])
    const failing = { command: [...command, '--fail'], variables: ['TEST_MCP_SECRET'] }
    const refused = openSessions({ server: failing })
    await expect(refused).rejects.toMatchObject({
      code: 'host_unreachable',
      message: expect.stringContaining('ready with [TEST_MCP_SECRET]'),
    })
    await expect(openSessions({ server: { command, variables: ['TEST_MCP_NONE'] } })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('TEST_MCP_NONE, which is not set'),
    })
  })
})

describe('the reward', () => {
  const finish = { tool: 'guess', field: 'reached' }
  const add = (amount: number) => `add {"amount": ${amount}}`

  test('is read from the result of a tool, and the end from a field of it', async () => {
    const reward = { from: 'result', tool: 'guess', field: 'share' }
    const { steps } = await play({ finish, reward }, [add(3), 'guess', add(4), 'guess'])
    expect(steps.map(({ reward: earned, done }) => [earned, done])).toEqual([
      [0, false],
      [3 / 7, false],
      [3 / 7, false],
      [1, true],
    ])
    const plain = await play({ reward: { from: 'result', tool: 'guess' } }, [add(7), 'guess'])
    expect(plain.last).toMatchObject({ reward: 1, done: false })
  })

  test('is asked of a tool that the agent does not see, at the end or after each step', async () => {
    const reward = { from: 'check', tool: 'score', arguments: { answer: 'said {answer}' }, field: 'points' }
    const more = { reward, reward_range: [0, 10] }
    const atEnd = await play(more, [add(7), 'submit'])
    expect(atEnd.steps.map(({ reward: earned }) => earned)).toEqual([0, 1])
    const eachStep = await play({ ...more, reward: { ...reward, when: 'step' } }, [add(6), add(1), 'submit'])
    expect(eachStep.steps.map(({ reward: earned }) => earned)).toEqual([0.5, 1, 1])
  })

  test('that cannot be read is a failure, and no zero', async () => {
    const reward = { from: 'check', tool: 'score', field: 'grade' }
    await expect(play({ reward }, ['submit'])).rejects.toMatchObject({
      code: 'endpoint_failed',
      message: expect.stringContaining('no number at "grade"'),
    })
    await expect(play({ reward: { from: 'check', tool: 'break' } }, ['submit'])).rejects.toMatchObject({
      code: 'endpoint_failed',
    })
  })
})

test('a server that leaves in the middle is a lost session', async () => {
  await expect(play({ server: { command } }, ['leave'])).rejects.toMatchObject({ name: 'SessionLost' })
})

test.each([
  ['setup', { setup: [{ tool: 'nothing' }] }, /no tool "nothing"\. It has: prepare, add/],
  [
    'finish.action',
    { finish: { action: 'add' }, reward: { from: 'result', tool: 'guess' } },
    /has a tool "add"/,
  ],
  ['reward.tool', { reward: { from: 'check', tool: 'nothing' } }, /no tool "nothing"/],
])('%s that the server lacks is named when it is first used', async (field, entry, message) => {
  await expect(openSessions(entry)).rejects.toMatchObject({
    code: 'invalid_request',
    param: `environments.lab.${field}`,
    message: expect.stringMatching(message),
  })
})

describe('a server over streamable HTTP', () => {
  const entry = (address: string) => ({
    server: { address },
    tasks: {
      test: [
        {
          id: 'craft',
          instruction: 'Craft what is asked for.',
          setup: [{ tool: 'reset', arguments: { task: 'textcraft-0042' }, show: true }],
        },
      ],
    },
    setup: [],
    finish: { tool: 'step', field: 'done' },
    reward: { from: 'result', tool: 'step', field: 'total' },
    deterministic: true,
  })

  test('such as a host of ours is played as the environment in process, and its sessions end', async () => {
    const { app, table, errors } = await facadeHost()
    const { environment, sessions } = await openSessions(entry(`${await serveApp(app)}/mcp/textcraft`))
    const [task] = environment.tasks()
    if (task) expect(environment.describe(task).rules).toContain('May also be written: step ACTION')
    const { live, result } = await sessions.open({ ...request, task: 'craft' }, signal)
    const start = textcraft.reset('textcraft-0042', 0)
    expect(result.observation).toBe(`Craft what is asked for.\n\n${start.observation}`)
    const { observation } = textcraft.step(start.state, 'inventory')
    expect(await live.step('step inventory', signal)).toMatchObject({ observation, reward: 0, done: false })
    expect(table.health().sessions).toBe(1)
    await live.close()
    expect(table.health().sessions).toBe(0)
    expect(errors).toEqual([])
  })

  test('that is not there, or is none, says so when it is first used', async () => {
    await expect(openSessions(entry('http://127.0.0.1:1/mcp'))).rejects.toMatchObject({
      code: 'host_unreachable',
      message: expect.stringMatching(/^The MCP server of "lab" could not be connected to/),
    })
    const { app } = await facadeHost()
    await expect(openSessions(entry(`${await serveApp(app)}/nowhere`))).rejects.toMatchObject({
      code: expect.stringMatching(/endpoint_failed|host_unreachable/),
    })
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
