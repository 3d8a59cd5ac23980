import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { openPlayer, type PlayedRun } from '../support/play-run.ts'
import { type Interrupt, messagesServer, responsesServer, thought } from '../support/provider-servers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Refuses the third request, as a provider does that has too much to do. */
const busyOnce =
  (status: number, headers: Record<string, string>): Interrupt =>
  (response, position) => {
    if (position !== 2) return false
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end('{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}')
    return true
  }

async function openKinds() {
  const folder = await temporaryFolder()
  const responses = await responsesServer(busyOnce(429, { 'retry-after-ms': '1' }))
  const messages = await messagesServer(busyOnce(529, {}))
  const prices = { '*': { input: 1, cached_input: 0.1, output: 10 } }
  const openai = { kind: 'openai-responses', base_url: responses.baseUrl, prices }
  const anthropic = { kind: 'anthropic', base_url: messages.baseUrl, prices }
  const endpoints = {
    player: { kind: 'simulated', skill: 1 },
    responses: openai,
    'responses-streamed': { ...openai, stream: true },
    messages: anthropic,
    'messages-streamed': { ...anthropic, stream: true },
  }
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints }))
  return { play: await openPlayer(folder), responses, messages }
}

function playOf({ nodes, best }: Tree) {
  return { best, nodes: nodes.map(({ message: _, reasoning: __, ...node }) => node) }
}

const mcts = { id: 'mcts', value: 'reward', iterations: 3, proposals: 4, branching: 2, max_steps: 3 }

test.each([
  ['react', { id: 'react' }, 'textcraft', 2],
  ['mcts', mcts, 'textcraft', 1],
  ['react', { id: 'react' }, 'alfworld', 1],
])(
  '%s with %j plays the same trees in %s over the Responses and the Messages API, whole and streamed',
  async (_name, method, environment, limit) => {
    const { play, responses, messages } = await openKinds()
    const ask = (endpoint: string, actions: 'text' | 'tools') =>
      play({
        environment,
        tasks: { split: 'test', limit },
        model: { endpoint, id: endpoint === 'player' ? 'simulated' : 'player' },
        method: { ...method, actions },
      })
    const byText = await ask('player', 'text')
    expect(byText.trees.every(({ nodes }) => nodes.length > 2)).toBe(true)
    for (const endpoint of ['responses', 'responses-streamed', 'messages', 'messages-streamed']) {
      const played = await ask(endpoint, 'tools')
      expect(played.trees.map(playOf), endpoint).toEqual(byText.trees.map(playOf))
      const rewards = ({ episodes }: PlayedRun) =>
        episodes.map(({ result, status }) => [status, result?.reward])
      expect(rewards(played), endpoint).toEqual(rewards(byText))
      expect(played.trees[0]?.nodes[1]?.reasoning).toBe(thought)
      for (const { result } of played.episodes) {
        const { cached_tokens = 0, reasoning_tokens = 0, model_calls = 0, cost } = result?.usage ?? {}
        expect(cached_tokens, endpoint).toBeGreaterThan(0)
        expect(reasoning_tokens, endpoint).toBe(10 * model_calls)
        expect(cost, endpoint).toBeGreaterThan(0)
      }
    }
    expect(responses.bodies.some(({ stream }) => stream === true)).toBe(true)
    expect(messages.bodies.some(({ stream }) => stream === true)).toBe(true)
    expect((await ask('messages', 'text')).trees.map(playOf)).toEqual(byText.trees.map(playOf))
    expect((await ask('responses', 'text')).trees.map(playOf)).toEqual(byText.trees.map(playOf))
  },
)
