import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { acceptRequest } from '../../shared/play/simulated/answer-request.ts'
import { openPlayer } from '../support/play-run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Turn {
  role: string
  content: string
}

interface Server {
  base_url: string
  prompts: Turn[][]
  /** From now on it answers nothing but 503. */
  fail(): void
}

async function openServer(skill: number): Promise<Server> {
  const prompts: Turn[][] = []
  let isFailing = false
  const server = createServer(async (request, response) => {
    const asked = await text(request)
    response.setHeader('content-type', 'application/json')
    if (isFailing) {
      response.statusCode = 503
      return void response.end('{"error":{"message":"no slot"}}')
    }
    prompts.push((JSON.parse(asked) as { messages: Turn[] }).messages)
    const accepted = acceptRequest('/v1/chat/completions', asked)
    const body = 'error' in accepted ? accepted : (accepted.answer({ skill, seed: 0 }).body as object)
    const { usage } = body as { usage: { prompt_tokens: number } }
    const prompt_tokens_details = { cached_tokens: Math.floor(usage.prompt_tokens / 4) }
    response.end(JSON.stringify({ ...body, usage: { ...usage, prompt_tokens_details } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    base_url,
    prompts,
    fail() {
      isFailing = true
    },
  }
}

async function openPool(skill = 0.5) {
  const servers = [await openServer(skill), await openServer(skill)] as const
  const folder = await temporaryFolder()
  const pool = { kind: 'openai', base_urls: servers.map(({ base_url }) => base_url) }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { pool } }))
  return { servers, play: await openPlayer(folder) }
}

const model = { endpoint: 'pool', id: 'player' }

/** The servers that saw prompts of each group. The probe of a run is in none. */
function serversOf(servers: readonly Server[], groupOf: (prompt: Turn[]) => string | null) {
  const groups = new Map<string, Set<number>>()
  for (const [place, { prompts }] of servers.entries()) {
    for (const prompt of prompts) {
      const group = groupOf(prompt)
      if (group !== null) groups.set(group, (groups.get(group) ?? new Set()).add(place))
    }
  }
  return [...groups.values()]
}

const firstAnswer = (prompt: Turn[]) => prompt.findIndex(({ role }) => role === 'assistant')

/** The prompt up to its first answer names the task. */
const taskOf = (prompt: Turn[]) => {
  const at = firstAnswer(prompt)
  return at < 0 ? null : JSON.stringify(prompt.slice(0, at))
}

test('a pool keeps each episode on one server, and uses all servers', async () => {
  const { servers, play } = await openPool()
  const played = await play({
    environment: 'textcraft',
    tasks: { split: 'test', limit: 6 },
    method: { id: 'react', max_steps: 4 },
    model,
  })
  expect(played.episodes).toHaveLength(6)
  const groups = serversOf(servers, taskOf)
  expect(groups.length).toBeGreaterThan(3)
  expect(groups.every(({ size }) => size === 1)).toBe(true)
  expect(new Set(groups.flatMap((group) => [...group])).size).toBe(2)
  const { cached_tokens = 0, input_tokens } = played.run.usage
  expect(cached_tokens / input_tokens).toBeGreaterThan(0.2)
})

test('a pool keeps each subtree of a search on one server, and uses all servers', async () => {
  const { servers, play } = await openPool(0.1)
  await play({
    environment: 'textcraft',
    tasks: { split: 'test', limit: 1 },
    method: { id: 'mcts', value: 'reward', iterations: 8, proposals: 5, branching: 4, max_steps: 6 },
    model,
  })
  const groups = serversOf(servers, (prompt) => {
    const at = firstAnswer(prompt)
    return at < 0 ? null : JSON.stringify(prompt.slice(0, at + 1))
  })
  expect(groups.length).toBeGreaterThan(1)
  expect(groups.every(({ size }) => size === 1)).toBe(true)
  expect(new Set(groups.flatMap((group) => [...group])).size).toBe(2)
})

test('episodes of a server that fails go on at the other', async () => {
  const { servers, play } = await openPool()
  servers[0].fail()
  const { episodes } = await play({
    environment: 'textcraft',
    tasks: { split: 'test', limit: 2 },
    method: { id: 'react', max_steps: 3 },
    model,
    max_retries: 0,
  })
  expect(episodes.every(({ result }) => result?.reward !== null && result?.reward !== undefined)).toBe(true)
  expect(serversOf(servers, taskOf).every((group) => group.has(1) && group.size === 1)).toBe(true)
})
