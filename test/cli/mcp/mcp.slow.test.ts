import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { longestAnswer } from '../../../cli/mcp/open-tool-server.ts'
import { openService } from '../../../local/open-service.ts'
import { startSimulatedServer } from '../../../local/simulated-server.ts'
import { createClient } from '../../../shared/core/client/client.ts'
import type { Scope } from '../../../shared/core/contracts/key.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const entry = join(import.meta.dirname, '../../../cli/espalier.ts')
const reading =
  'compare_runs get_node get_report get_run get_trajectory get_tree list_environments list_episodes list_failures list_methods list_models list_runs list_tasks search_texts'.split(
    ' ',
  )
const starting = ['cancel_run', 'estimate_run', 'start_run']
const small = { environment: 'textcraft', method: 'react', model: 'simulated', limit: 3, max_cost: 0.5 }

/** A stock client with `espalier mcp` as its child. */
async function openTools(words: string[], env: Record<string, string> = {}) {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [entry, 'mcp', ...words],
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'pipe',
  })
  let complaints = ''
  transport.stderr?.on('data', (text) => {
    complaints += text
  })
  onTestFinished(() => client.close())
  await client.connect(transport)
  const ask = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [part] = content as [{ text: string }]
    return { text: part.text, isError: isError === true }
  }
  return {
    ask,
    client,
    complaints: () => complaints,
    names: async () => (await client.listTools()).tools.map(({ name }) => name).toSorted(),
  }
}

const idOf = (text: string) => /^run +(run-\S+)/m.exec(text)?.[1] ?? ''

describe('a stock client', () => {
  test('starts a capped run over a data folder, and reads its failures, trees and report', async () => {
    const folder = await temporaryFolder()
    const { ask, client, complaints, names } = await openTools(['--folder', folder])
    expect(await names()).toEqual([...reading, ...starting].toSorted())
    const { tools } = await client.listTools()
    const isReading = Object.fromEntries(
      tools.map(({ annotations, name }) => [name, annotations?.readOnlyHint]),
    )
    expect(isReading).toMatchObject({ get_run: true, start_run: false, cancel_run: false })
    expect((await ask('list_environments')).text).toContain('textcraft')
    expect((await ask('estimate_run', small)).text).toContain('$1.00 of the $1.00')
    // One step solves none of these tasks.
    const started = await ask('start_run', { ...small, more: { episode_limits: { steps: 1 } } })
    expect(started).toMatchObject({ isError: false, text: expect.stringContaining('limits       cost 0.5') })
    expect(started.text).toContain('$0.5000 of the $1.00 for runs of this server are left.')
    const run = idOf(started.text)
    expect((await ask('get_run', { run, wait_seconds: 45 })).text).toMatch(/^status +completed/m)
    const failures = await ask('list_failures', { run: 'latest', limit: 2 })
    expect(failures.text).toContain(`3 of the 3 ended episodes of ${run} did not solve their task.`)
    expect(failures.text).toMatch(/^ep-0000000 .*: step limit; reward 0\.00, 1 steps\n {2}#1 /m)
    expect(failures.text).toContain('"after": "ep-0000001"')
    const rest = await ask('list_failures', { run, after: 'ep-0000001' })
    expect(rest.text.match(/^ep-\d+/gm)).toEqual(['ep-0000002'])
    const place = { run, episode: 'ep-0000000' }
    expect((await ask('get_tree', place)).text).toMatch(/^● #0 .*\n↓ ● #1/m)
    expect((await ask('get_trajectory', place)).text).toContain('  #1 ')
    expect((await ask('get_node', { ...place, node: 1 })).text).toContain('action')
    expect((await ask('get_report', { run })).text).toContain('3 out of steps or budget')
    expect((await ask('list_episodes', { run, reason: 'steps' })).text).toContain('step limit')
    expect((await ask('list_runs')).text).toContain(run)
    expect(complaints()).toBe('')
  })

  test('cannot spend more than the allowance, with one run or with several', async () => {
    const folder = await temporaryFolder()
    // No call is answered: the first run cannot end before it is cancelled.
    const endpoints = { simulated: { kind: 'simulated', latency: 600_000 } }
    await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints }))
    const { ask } = await openTools(['--folder', folder, '--max-cost', '0.6'])
    const started = await ask('start_run', small)
    expect(started.isError).toBe(false)
    const refused = await ask('start_run', small)
    expect(refused).toMatchObject({ isError: true, text: expect.stringMatching(/^wrong_usage: max_cost/) })
    expect((await ask('cancel_run', { run: idOf(started.text) })).text).toContain('$0.6000 of the $0.6000')
    expect((await ask('cancel_run', { run: 'run-of-another' })).isError).toBe(true)
    expect((await ask('start_run', small)).isError).toBe(false)
  })

  test('has its run paused by the service at the cap', async () => {
    const folder = await temporaryFolder()
    const server = await startSimulatedServer({ port: 0 })
    onTestFinished(() => server.close())
    const prices = { 'gpt-x': { input: 10, output: 30 } }
    const endpoints = { own: { kind: 'openai', base_url: server.baseUrl, prices } }
    await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints }))
    const { ask } = await openTools(['--folder', folder])
    const dear = { ...small, model: 'gpt-x', endpoint: 'own', limit: 20, max_cost: 0.1 }
    const run = idOf((await ask('start_run', dear)).text)
    const { text } = await ask('get_run', { run, wait_seconds: 45 })
    expect(text).toMatch(/^status +paused: limits.cost/m)
    const free = await ask('start_run', { ...dear, model: 'unpriced' })
    expect(free).toMatchObject({ isError: true, text: expect.stringContaining('unpriced_endpoint') })
  })
})

describe('hostile calls', () => {
  test('are refused with the field, and the server goes on', async () => {
    const folder = await temporaryFolder()
    const { ask, client, complaints } = await openTools(['--folder', folder])
    const refusals: [string, Record<string, unknown>, RegExp][] = [
      ['get_run', {}, /run/],
      ['get_run', { run: 'run-1' }, /^not_found: .*run-1/],
      ['get_run', { run: 'latest' }, /no run yet/],
      ['get_run', { run: '../../endpoints' }, /not_found/],
      ['get_run', { run: 'x'.repeat(10_000) }, /run/],
      ['get_run', { run: 'run-1', wait_seconds: 1e9 }, /wait_seconds/],
      ['get_tree', { run: 'run-1', episode: 'ep-0000000/tree', node: -1 }, /node/],
      ['list_runs', { limit: 1e6 }, /limit/],
      ['list_runs', { unknown: true }, /unknown/],
      ['start_run', { ...small, max_cost: 1000 }, /max_cost/],
      ['start_run', { ...small, max_cost: undefined }, /max_cost/],
      ['start_run', { ...small, more: { limits: { cost: 1000 } } }, /more\.limits/],
      ['start_run', { ...small, more: { limits: null } }, /more\.limits/],
      ['start_run', { ...small, more: { nothing: 1 } }, /^unknown_field: .*nothing/],
      ['start_run', { ...small, environment: 'nowhere' }, /unknown_environment/],
      ['start_run', { ...small, method: 'rect' }, /unknown_method/],
      ['search_texts', { words: '"' }, /q|word|quote/],
      ['compare_runs', { runs: ['run-1'] }, /runs/],
    ]
    for (const [name, given, message] of refusals) {
      const answer = await ask(name, given)
      expect(answer, `${name} ${JSON.stringify(given).slice(0, 100)}`).toMatchObject({
        isError: true,
        text: expect.stringMatching(message),
      })
      expect(answer.text.length).toBeLessThan(longestAnswer + 100)
    }
    expect((await ask('no_such_tool')).isError).toBe(true)
    expect((await ask('list_runs')).text).toBe('No run is like that.')
    // Each refused run gave its cap back.
    expect((await ask('estimate_run', small)).text).toContain('$1.00 of the $1.00')
    expect(complaints()).toBe('')
    await client.ping()
  })
})

describe('a key', () => {
  async function withKeys() {
    const folder = await temporaryFolder()
    const service = await openService({ folder, port: 0, auth: 'keys', log: () => {} })
    onTestFinished(() => service.close({ grace: 0 }))
    const operator = createClient({ address: service.address, key: service.word })
    const keyOf = async (scopes: Scope[]) => (await operator.createKey({ name: 'agent', scopes })).key
    const open = async (scopes: Scope[], words: string[] = []) =>
      openTools(['--service', service.address, ...words], { ESPALIER_API_KEY: await keyOf(scopes) })
    return { open, operator, service }
  }

  test('that only reads gives the reading tools, and no call starts a run', async () => {
    const { open, operator } = await withKeys()
    const { ask, names } = await open(['runs:read'])
    expect(await names()).toEqual(reading)
    expect((await ask('start_run', small)).isError).toBe(true)
    expect((await operator.runs({})).data).toEqual([])
  })

  test('decides the tools by its scopes; --read-only takes the others away', async () => {
    const { open } = await withKeys()
    const catalogue = reading.filter((name) => /environments|tasks|methods|models/.test(name))
    expect(await (await open(['datasets:read'])).names()).toEqual(catalogue)
    expect(await (await open(['admin'])).names()).toEqual([...reading, ...starting].toSorted())
    expect(await (await open(['admin'], ['--read-only'])).names()).toEqual(reading)
  })

  test('that is unknown ends the command with its reason', async () => {
    const { service } = await withKeys()
    const words = [entry, 'mcp', '--service', service.address]
    const env = { ...process.env, ESPALIER_API_KEY: 'esp_wrong' }
    const ended = promisify(execFile)(process.execPath, words, { env })
    await expect(ended).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('API key'),
    })
  })
})

test('the input’s end is the end of the process, and the run it played stays resumable', async () => {
  const folder = await temporaryFolder()
  const first = await openTools(['--folder', folder])
  const run = idOf((await first.ask('start_run', { ...small, limit: 50 })).text)
  await first.client.close()
  const second = await openTools(['--folder', folder, '--read-only'])
  expect((await second.ask('get_run', { run })).text).toContain(run)
})

test('--skill prints a skill file for agents that names tools and commands which exist', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [entry, 'mcp', '--skill'])
  expect(stdout).toMatch(/^---\nname: espalier\ndescription: .{40,}\n---\n/)
  const named = [...stdout.matchAll(/`([a-z]+_[a-z]+)`/g)].map(([, name]) => name ?? '')
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => ![...reading, ...starting, 'max_cost'].includes(name))).toEqual([])
})
