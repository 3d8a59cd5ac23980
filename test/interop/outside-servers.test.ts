import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { serverSessions } from '../../functions/wiring/sessions-of.ts'
import { loadAddedEnvironments } from '../../shared/environments/added/load-added-environments.ts'
import { isHosted } from '../../shared/environments/environment.ts'
import { findFreePort } from '../../shared/learn/serving/server-process.ts'
import { pythonWith } from '../support/python-venv.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openHere } from './play-here.ts'
import { startServer } from './start-server.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
const examples = join(root, 'node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server')
const scripts = join(import.meta.dirname, 'python')
const { signal } = new AbortController()
const simulated = { model: { endpoint: 'simulated', id: 'simulated' } }
let openenv = ''

beforeAll(async () => {
  openenv = await pythonWith('test/openenv/requirements.txt')
})

async function start(parts: string[], ready: string, more: { folder?: string } = {}): Promise<string> {
  const port = await findFreePort()
  const command = parts.map((part) => (part === 'PORT' ? String(port) : part))
  const { address, stop } = await startServer(command, {
    port,
    ready,
    variables: { MCP_PORT: String(port) },
    ...more,
  })
  onTestFinished(stop)
  return address
}

/** The environment of one entry of `environments.json`, and its first task, begun. */
async function begin(entry: object) {
  const path = join(await temporaryFolder(), 'environments.json')
  await writeFile(path, JSON.stringify({ environments: { outside: entry } }))
  const [definition] = await loadAddedEnvironments({ path })
  const environment = await definition?.open(null)
  const [task] = environment?.tasks() ?? []
  if (environment === undefined || task === undefined || !isHosted(environment))
    throw new Error('Nothing was opened.')
  const { host } = environment
  if (host.kind === 'image') throw new Error('It is an image of ours.')
  const sessions = serverSessions('outside', host, false)
  const { live, result } = await sessions.open({ task: task.id, seed: 0, holder: 'test' }, signal)
  onTestFinished(() => live.close())
  const step = (action: string) => live.step(action, signal)
  return { environment, rules: environment.describe(task).rules, result, step, live }
}

describe('a server of the shape of AgentGym', () => {
  test('is solved step by step, and played in a run', async () => {
    const address = await start([openenv, join(scripts, 'agentgym_server.py'), 'PORT'], '/openapi.json')
    const entry = { kind: 'agentgym', server: 'textcraft', address, tasks: { test: [0, 2] } }
    const { result, step } = await begin(entry)
    expect(result.observation).toBe('Game 0. Goal: craft 3 oak log.')
    expect(await step('dance')).toMatchObject({ valid: false, done: false })
    for (const done of [false, false, true]) expect(await step('get 1 oak log')).toMatchObject({ done })
    const { play } = await openHere({ environments: { lab: entry } })
    const request = { environment: 'lab', tasks: { split: 'test' }, ...simulated }
    const { episodes } = await play({ ...request, method: { id: 'react', max_steps: 4 } })
    expect(episodes).toHaveLength(2)
  })
})

describe("servers on OpenEnv's own", () => {
  test('the echo that OpenEnv makes for a beginner', async () => {
    const folder = await temporaryFolder()
    await run(openenv, ['-m', 'openenv.cli', 'init', 'echo_env'], { cwd: folder, timeout: 60_000 })
    const server = ['-m', 'uvicorn', 'server.app:app', '--host', '127.0.0.1', '--port', 'PORT']
    const address = await start([openenv, ...server], '/health', { folder: join(folder, 'echo_env') })
    const entry = { kind: 'openenv', address, reward: 'max', tasks: { test: [0, 2] }, deterministic: true }
    const { rules, result, step, live } = await begin({ ...entry, observation_fields: ['echoed_message'] })
    expect(rules).toContain('Each action is a text. Message to echo back.')
    expect(result).toMatchObject({ reward: 0, done: false, observation: expect.stringContaining('ready') })
    expect(await step('Hello')).toMatchObject({ observation: 'Hello', reward: 0.5, valid: true })
    expect(await step('🌳'.repeat(10_000))).toMatchObject({ observation: '🌳'.repeat(10_000), reward: 1 })
    await live.close()
    // It holds one session at a time: others wait their turn.
    const { play } = await openHere({ environments: { echo: entry } })
    const request = { environment: 'echo', tasks: { split: 'test' }, max_parallel: 2, ...simulated }
    const { episodes } = await play({ ...request, method: { id: 'react', max_steps: 3 } })
    expect(episodes).toHaveLength(2)
  })

  test('a grid to walk on, which a search goes back in', async () => {
    const address = await start([openenv, join(scripts, 'openenv_servers.py'), 'grid', 'PORT'], '/health')
    const entry = {
      kind: 'openenv',
      address,
      tasks: { test: [3, 5] },
      deterministic: true,
      default_max_steps: 6,
    }
    const { rules, result, step, live } = await begin(entry)
    expect(rules).toMatch(/It is one of: "up" \| "down" \| "left" \| "right"/)
    const [, row = '', column = ''] = /goal: \[(\d),(\d)\]/.exec(result.observation) ?? []
    expect(await step('fly')).toMatchObject({
      valid: false,
      observation: expect.stringContaining("'up', 'down'"),
    })
    expect(await step('up')).toMatchObject({
      valid: true,
      reward: 0,
      observation: expect.stringContaining('note: There is a wall.'),
    })
    const path = [...Array(Number(row)).fill('down'), ...Array(Number(column)).fill('right')]
    const answers = []
    for (const move of path) answers.push(await step(move))
    expect(answers.at(-1)).toMatchObject({ done: true, reward: expect.closeTo(1 - 0.01 * path.length, 10) })
    await live.restore(null, signal)
    const { play } = await openHere({ environments: { grid: entry } })
    const request = { environment: 'grid', tasks: { split: 'test' }, ...simulated }
    const { episodes } = await play({ ...request, method: { id: 'mcts', iterations: 3, samples: 2 } })
    expect(episodes.map(({ result }) => (result?.nodes ?? 0) > 2)).toEqual([true, true])
  })

  test('tools alone', async () => {
    const address = await start([openenv, join(scripts, 'openenv_servers.py'), 'tools', 'PORT'], '/health')
    const { rules, step } = await begin({ kind: 'openenv', address, tasks: { test: [0, 1] } })
    expect(rules).toContain('- echo_message')
    expect(rules).toContain('Adds two numbers.')
    expect(await step('echo_message hello there')).toMatchObject({ observation: 'hello there', valid: true })
    expect(await step('add {"one": 2, "other": 3}')).toMatchObject({ observation: '5', valid: true })
    expect(await step('add {"one": "x"}')).toMatchObject({ valid: false })
    expect(await step('fly')).toMatchObject({
      valid: false,
      observation: expect.stringContaining('no tool "fly"'),
    })
  })
})

describe('MCP servers of the SDKs', () => {
  const tasks = { test: [{ id: 'one', instruction: 'Do it.', answer: 'yes' }] }

  test('an example of the TypeScript SDK on stdio, whose results are structured', async () => {
    const server = { command: [process.execPath, join(examples, 'mcpServerOutputSchema.js')] }
    const { rules, step } = await begin({ kind: 'mcp', server, tasks, reward: { from: 'answer' } })
    expect(rules).toContain(
      '- get_weather {"city": string, "country": string}: Get weather information for a city',
    )
    expect(await step('get_weather {"city": "Bonn", "country": "DE"}')).toMatchObject({
      valid: true,
      observation: expect.stringContaining('"humidity"'),
    })
    expect(await step('get_weather {"city": 3}')).toMatchObject({ valid: false })
    expect(await step('submit yes')).toMatchObject({ done: true, reward: 1 })
  })

  test('an example of the TypeScript SDK over streamable HTTP, played in a run', async () => {
    const address = await start([process.execPath, join(examples, 'simpleStreamableHttp.js'), 'PORT'], '/mcp')
    const server = { address: `${address}/mcp` }
    const entry = {
      kind: 'mcp',
      server,
      tools: ['greet'],
      tasks,
      reward: { from: 'answer' },
      default_max_steps: 3,
    }
    const { step } = await begin(entry)
    expect(await step('greet Ada')).toMatchObject({ observation: 'Hello, Ada!', valid: true })
    const { play } = await openHere({ environments: { greeter: entry } })
    const { episodes } = await play({
      environment: 'greeter',
      tasks: { split: 'test' },
      ...simulated,
      method: { id: 'react' },
    })
    expect(episodes).toHaveLength(1)
  })

  test('a server by the Python SDK on stdio, whose tool says when it is over', async () => {
    const server = { command: [openenv, join(scripts, 'mcp_server.py')] }
    const finish = { tool: 'is_ten', field: 'result' }
    const { step } = await begin({
      kind: 'mcp',
      server,
      tasks,
      finish,
      reward: { from: 'result', tool: 'is_ten' },
    })
    expect(await step('add {"amount": 7}')).toMatchObject({
      valid: false,
      observation: expect.stringContaining('No more than 5 at once.'),
    })
    expect(await step('add {"amount": 5}')).toMatchObject({ observation: '5' })
    expect(await step('is_ten')).toMatchObject({ reward: 0, done: false, valid: true })
    await step('add {"amount": 5}')
    expect(await step('is_ten')).toMatchObject({ reward: 1, done: true })
  })
})
