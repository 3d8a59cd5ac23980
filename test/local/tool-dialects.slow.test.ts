import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { writeAnswer } from '../../shared/play/answers/write-calls.ts'
import { acceptRequest } from '../../shared/play/simulated/answer-request.ts'
import { openNumberServer } from '../environments/mcp/number-server.ts'
import { serveOverHttp } from '../environments/mcp/serve-over-http.ts'
import { openPlayer, type PlayedRun } from '../support/play-run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

interface Turn {
  role: string
  content: string | null
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
  reasoning_content?: string
}

interface Completion {
  choices: { message: Turn; finish_reason: string }[]
}

/** How a server says what the same player says. */
type Manner = (completion: Completion, messages: readonly Turn[]) => Completion | { refused: string }

const thoughts = 'Let me see what I hold.'

const manners: Record<string, Manner> = {
  /** Answers in `tool_calls` only. */
  native: (completion) => completion,
  /** Has no parser of tool calls: the call stays in the text. */
  inline: ({ choices, ...rest }) => ({
    ...rest,
    choices: choices.map(({ message: { tool_calls, content, ...message } }) => ({
      message: { ...message, content: writeAnswer(content ?? '', tool_calls) },
      finish_reason: 'stop',
    })),
  }),
  /** Refuses a conversation whose earlier answers lack their thoughts. */
  reasoning({ choices, ...rest }, messages) {
    const bare = messages.find(
      ({ role, tool_calls, reasoning_content }) =>
        role === 'assistant' && tool_calls && reasoning_content !== thoughts,
    )
    if (bare !== undefined) return { refused: 'reasoning_content is missing in an assistant turn.' }
    return {
      ...rest,
      choices: choices.map(({ message, finish_reason }) => ({
        message: { ...message, reasoning_content: thoughts },
        finish_reason,
      })),
    }
  },
}

interface AskedChat {
  messages: Turn[]
  tools?: object[]
  n?: number
}

/** Plays the MCP server of numbers: counts up to the goal, each choice in steps of its own size, and asks if it is reached. */
function playNumbers({ messages, tools, n = 1 }: AskedChat): Completion {
  const texts = messages.map(({ content }) => content ?? '')
  const goal = Number(texts.flatMap((text) => /Reach (\d+)\./.exec(text)?.[1] ?? [])[0])
  const number = Number(texts.flatMap((text) => /The number is (\d+)\.$/.exec(text)?.[1] ?? []).at(-1) ?? 0)
  const isReached = number >= goal
  const choices = Array.from({ length: n }, (_, choice) => {
    const amount = Math.min(goal - number, (choice % 3) + 1)
    const call = isReached
      ? { name: 'guess', arguments: '{}' }
      : { name: 'add', arguments: JSON.stringify({ amount }) }
    const words = isReached ? 'It is there.' : 'More is needed.'
    const message: Turn =
      tools === undefined
        ? {
            role: 'assistant',
            content: `Thought: ${words}\nAction: ${isReached ? 'guess' : `add {"amount": ${amount}}`}`,
          }
        : {
            role: 'assistant',
            content: words,
            tool_calls: [{ id: `call_${choice}`, type: 'function', function: call }],
          }
    return { index: choice, message, finish_reason: tools === undefined ? 'stop' : 'tool_calls' }
  })
  return { choices, usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } } as Completion
}

function playSimulated(asked: string): Completion | { error: unknown } {
  const accepted = acceptRequest('/v1/chat/completions', asked)
  return 'error' in accepted ? accepted : (accepted.answer({ skill: 1, seed: 0 }).body as Completion)
}

/** A server of one good player, which speaks in each manner. */
async function serve(manner: Manner): Promise<string> {
  const server = createServer(async (request: IncomingMessage, response) => {
    const asked = await text(request)
    const body = asked.includes('You change a number.')
      ? playNumbers(JSON.parse(asked) as AskedChat)
      : playSimulated(asked)
    const said = 'error' in body ? body : manner(body, (JSON.parse(asked) as { messages: Turn[] }).messages)
    response.statusCode = 'error' in said || 'refused' in said ? 400 : 200
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify('refused' in said ? { error: { message: said.refused } } : said))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

async function openDialects() {
  const { address } = await serveOverHttp(openNumberServer)
  const number = { ...numberGame, server: { address } }
  const folder = await temporaryFolder()
  const names = Object.keys(manners)
  const addresses = await Promise.all(names.map((name) => serve(manners[name] as Manner)))
  const endpoints = Object.fromEntries(
    names.map((name, place) => [name, { kind: 'openai', base_url: addresses[place] }]),
  )
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints }))
  await writeFile(join(folder, 'environments.json'), JSON.stringify({ environments: { number } }))
  return openPlayer(folder)
}

/** An MCP server whose tools are the actions. */
const numberGame = {
  kind: 'mcp',
  tools: ['add', 'guess'],
  tasks: {
    test: [4, 5].map((goal) => ({
      id: `to-${goal}`,
      instruction: `Reach ${goal}.`,
      setup: [{ tool: 'prepare', arguments: { goal } }],
    })),
  },
  finish: { tool: 'guess', field: 'reached' },
  reward: { from: 'result', tool: 'guess', field: 'share' },
  deterministic: true,
  default_max_steps: 8,
}

/** All but the words, which differ between answers in text and calls. */
function playOf({ nodes, best }: Tree) {
  return {
    best,
    nodes: nodes.map(({ message: _, reasoning: __, ...node }) => node),
  }
}

test.each([
  ['react', {}, 'textcraft'],
  ['mcts', { value: 'reward', iterations: 3, proposals: 4, branching: 2, max_steps: 3 }, 'textcraft'],
  ['react', {}, 'webshop'],
  ['react', {}, 'alfworld'],
  ['react', {}, 'number'],
  ['mcts', { value: 'reward', iterations: 3, proposals: 4, branching: 2, max_steps: 8 }, 'number'],
])(
  '%s plays %j the same trees in %s by text, by calls, by calls in text and with thoughts sent back',
  async (id, parameters, environment) => {
    const play = await openDialects()
    const request = { environment, tasks: { split: 'test', limit: 2 } }
    const ask = (endpoint: string, actions: 'text' | 'tools') =>
      play({ ...request, model: { endpoint, id: 'player' }, method: { id, ...parameters, actions } })
    const byText = await ask('native', 'text')
    expect(byText.trees.every(({ nodes }) => nodes.length > 2 && nodes.every(({ valid }) => valid))).toBe(
      true,
    )
    for (const endpoint of ['native', 'inline', 'reasoning']) {
      const byCalls = await ask(endpoint, 'tools')
      expect(byCalls.trees.map(playOf), endpoint).toEqual(byText.trees.map(playOf))
      const figures = ({ episodes }: PlayedRun) =>
        episodes.map(({ result, status }) => ({ answers: result?.answers, reward: result?.reward, status }))
      expect(figures(byCalls), endpoint).toEqual(figures(byText))
      const [tree] = byCalls.trees as [Tree]
      expect(tree.tools?.length).toBeGreaterThan(0)
      expect(tree.nodes[1]?.message).toContain('<tool_call>')
      expect(tree.nodes[1]?.reasoning).toBe(endpoint === 'reasoning' ? thoughts : undefined)
    }
  },
)
